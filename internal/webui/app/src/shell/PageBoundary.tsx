import { Button } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { Component, type ReactNode } from 'react';
import { EmptyState } from './States';

interface Props {
  /** Another path shows its page. */
  path: string;
  children: ReactNode;
}

/** Keeps the frame around a page that fails, for instance because a later version of the service no longer has a part of it. */
export class PageBoundary extends Component<Props, { failed: boolean }> {
  state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  componentDidUpdate(before: Props) {
    if (this.state.failed && before.path !== this.props.path) this.setState({ failed: false });
  }

  render() {
    if (!this.state.failed) return this.props.children;
    return (
      <EmptyState
        icon={CircleAlert}
        title="This page could not be shown"
        action={<Button onClick={() => location.reload()}>Load it again</Button>}
      >
        The service may have another version now. What you have entered and not saved is lost when the page is loaded again.
      </EmptyState>
    );
  }
}
