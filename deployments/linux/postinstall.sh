#!/bin/sh
# After the installation of a package. It starts nothing: the settings need secrets first.
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	if systemctl is-active --quiet graphrest; then systemctl restart graphrest; fi
fi
