// The page around Swagger UI: a login form, whose token is kept in memory only; the session of the web interface, if there is one; the
// light or dark color scheme.
"use strict";

(() => {
  const scheme = "BearerAuth";
  const byId = (id) => document.getElementById(id);
  const form = byId("login"), account = byId("account"), who = byId("who"), notice = byId("notice");

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const colour = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", colour);
  colour();

  let token = "", expiry = 0;

  // Operations are sorted by path, then by method.
  const methods = ["get", "post", "put", "patch", "delete"];
  function inOrder(one, other) {
    return one.get("path").localeCompare(other.get("path")) || methods.indexOf(one.get("method")) - methods.indexOf(other.get("method"));
  }

  let described;
  const description = new Promise((resolve) => (described = resolve)); // resolved when the description is loaded: tokens can be set then

  // Swagger UI shows the Execute button of an operation before it has resolved the operation's description. If it is pressed before,
  // execute fails, and the button does not work until the page is reloaded. Therefore execute waits for the description.
  const waitForDescription = {
    statePlugins: {
      spec: {
        wrapActions: {
          execute: (execute, system) => async (request) => {
            const resolved = () => system.specSelectors.specResolvedSubtree(["paths", request.path, request.method]);
            while (!resolved()) await new Promise((resolve) => setTimeout(resolve, 20));
            return execute({ ...request, operation: resolved() });
          },
        },
      },
    },
  };

  // Swagger UI fills parameters in with their examples. For an optional parameter that would send a filter that the user did not enter,
  // so the examples of optional parameters are moved into their descriptions.
  const examplesAsText = {
    statePlugins: {
      spec: {
        wrapActions: {
          updateSpec: (update) => (text) => update(text && moveExamplesToText(JSON.parse(text))),
        },
      },
    },
  };

  function moveExamplesToText(api) {
    const ofOperations = Object.values(api.paths).flatMap(Object.values).flatMap((operation) => operation.parameters || []);
    for (const parameter of [...ofOperations, ...Object.values(api.components.parameters)]) {
      if (parameter.required || parameter.example === undefined) continue;
      parameter.description += ". Example: `" + parameter.example + "`";
      delete parameter.example;
    }
    return JSON.stringify(api);
  }

  const ui = SwaggerUIBundle({
    url: "docs/openapi.json",
    domNode: byId("docs"),
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [waitForDescription, examplesAsText],
    layout: "BaseLayout",
    // Swagger UI takes no configuration from the URL, sends the description to no validator, and stores no token.
    queryConfigEnabled: false,
    validatorUrl: null,
    persistAuthorization: false,
    deepLinking: true,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    docExpansion: "list",
    operationsSorter: inOrder,
    defaultModelsExpandDepth: 0,
    onComplete: () => described(),
    responseInterceptor: (response) => {
      noticeEnd(response);
      return response;
    },
  });

  function notify(text) {
    notice.textContent = text;
    notice.hidden = text === "";
  }

  function signedOut(text) {
    token = "";
    clearTimeout(expiry);
    ui.authActions.logout([scheme]);
    account.hidden = true;
    form.hidden = false;
    notify(text);
  }

  // noticeEnd detects that an operation run on the page has ended the session.
  function noticeEnd(response) {
    if (token === "" || !response.url) return;
    const path = new URL(response.url, document.baseURI).pathname;
    const code = response.body && response.body.error && response.body.error.code;
    if (response.ok && path.endsWith("/api/auth/logout")) signedOut("");
    else if (response.ok && path.endsWith("/api/auth/password")) signedOut("The password is changed. Log in again.");
    else if (["INVALID_TOKEN", "TOKEN_EXPIRED", "TOKEN_REVOKED"].includes(code)) signedOut("The session has ended. Log in again.");
  }

  async function call(method, path, body) {
    const headers = {};
    if (token !== "") headers.Authorization = "Bearer " + token;
    if (body) headers["Content-Type"] = "application/json";
    const response = await fetch(new URL(path, document.baseURI), { method, headers, body: body && JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error.message + answer.error.details.map((d) => `; ${d.field}: ${d.message}`).join(""));
    return answer;
  }

  function show(user) {
    const name = document.createElement("strong");
    name.textContent = user.username;
    const may = document.createElement("span");
    may.className = "may";
    may.textContent = " " + [...user.permissions, ...(user.admin ? ["admin"] : [])].join(", ");
    who.replaceChildren(name, may);
    form.hidden = true;
    account.hidden = false;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    notify("");
    try {
      const answer = await call("POST", "api/auth/login", { username: form.username.value, password: form.password.value });
      token = answer.access_token;
      const user = (await call("GET", "api/auth/me")).data;
      form.reset();
      ui.preauthorizeApiKey(scheme, token);
      // The delay of a timer is a signed 32-bit number of milliseconds.
      expiry = setTimeout(() => signedOut("The session has expired. Log in again."), Math.min(answer.expires_in * 1000, 2 ** 31 - 1));
      show(user);
    } catch (problem) {
      token = "";
      notify(problem instanceof TypeError ? "The service cannot be reached." : problem.message);
      form.password.select();
    } finally {
      button.disabled = false;
    }
  });

  // takeOver continues a session of the web interface: one stored by this tab, or one that another tab of this origin sends on the
  // channel (docs/adr/0004-web-session.md).
  const sharedName = "graphrest.session" + location.pathname.replace(/\/docs$/, "");
  const channel = "BroadcastChannel" in window ? new BroadcastChannel(sharedName) : null;

  async function takeOver(held) {
    if (token !== "" || !held || typeof held.token !== "string" || !(held.expiresAt > Date.now())) return;
    token = held.token;
    try {
      const user = (await call("GET", "api/auth/me")).data;
      await description;
      ui.preauthorizeApiKey(scheme, token);
      expiry = setTimeout(() => signedOut("The session has expired. Log in again."), Math.min(held.expiresAt - Date.now(), 2 ** 31 - 1));
      show(user);
    } catch {
      token = ""; // it is not valid any more
    }
  }

  if (channel) {
    channel.onmessage = (event) => {
      const message = event.data || {};
      if (message.kind === "have") takeOver(message);
      if (message.kind === "end" && token !== "" && message.token === token) signedOut("You have logged out in another tab.");
    };
  }
  let left = null;
  try {
    left = JSON.parse(sessionStorage.getItem(sharedName));
  } catch {
    // Storage may be disabled in the browser.
  }
  takeOver(left).then(() => {
    if (token === "" && channel) channel.postMessage({ kind: "ask" });
  });

  byId("logout").addEventListener("click", async () => {
    if (channel) channel.postMessage({ kind: "end", token });
    try {
      sessionStorage.removeItem(sharedName);
    } catch {
      // Storage may be disabled in the browser.
    }
    try {
      await call("POST", "api/auth/logout");
      signedOut("");
    } catch (problem) {
      signedOut("The token is forgotten here, but was not revoked: " + problem.message);
    }
  });
})();
