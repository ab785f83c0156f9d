import { Alert, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState, type FormEvent } from 'react';
import { addressOf } from '../api/address';
import { asProblem } from '../api/problem';
import { session, useSession, type LoginMethods } from './session';

/** The login form. With a given user name, it continues that user's session. */
export function LoginForm({ username: fixedUsername, label, onDone }: { username?: string; label: string; onDone?: () => void }) {
  const [username, setUsername] = useState(fixedUsername ?? '');
  const [password, setPassword] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setError('');
    try {
      await session.login(username, password);
      onDone?.();
    } catch (problem) {
      setError(asProblem(problem).text);
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="sm">
        <TextInput
          label="User name"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          withAsterisk={false}
          value={username}
          onChange={(e) => setUsername(e.currentTarget.value)}
          readOnly={fixedUsername !== undefined}
          data-autofocus={fixedUsername === undefined || undefined}
          autoFocus={fixedUsername === undefined}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          data-autofocus={fixedUsername !== undefined || undefined}
          autoFocus={fixedUsername !== undefined}
          visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        />
        {error && (
          <Alert color="red" variant="light" role="alert" p="xs">
            {error}
          </Alert>
        )}
        <Button type="submit" loading={busy} fullWidth mt="xs">
          {label}
        </Button>
      </Stack>
    </form>
  );
}

interface LoginChoicesProps {
  /** Who has to log in again; without it anybody may log in. */
  username?: string;
  label: string;
  singleSignOn: () => void;
  onDone?: () => void;
}

/** The ways to log in that the service offers. The form is hidden if passwords are for emergencies only. */
export function LoginChoices({ username, label, singleSignOn, onDone }: LoginChoicesProps) {
  const [methods, setMethods] = useState<LoginMethods | null>(null);
  const [withPassword, setWithPassword] = useState(false);
  useEffect(() => void session.loginMethods().then(setMethods), []);
  if (!methods) return null;
  return (
    <Stack gap="md">
      {methods.oidc && (
        <Button fullWidth variant={methods.password ? 'default' : 'filled'} onClick={singleSignOn}>
          {username === undefined ? 'Log in with single sign-on' : 'Log in with single sign-on (new tab)'}
        </Button>
      )}
      {methods.password || withPassword ? (
        <LoginForm username={username} label={label} onDone={onDone} />
      ) : (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWithPassword(true)}>
          {username === undefined ? 'Log in as the first administrator' : 'Log in with a password'}
        </Button>
      )}
    </Stack>
  );
}

export function LoginPage() {
  const { notice } = useSession();
  return (
    <main className="signin">
      <div className="signin-card">
        <Stack gap="lg">
          <Stack gap={6} align="center">
            <img src={addressOf('/static/icon.svg')} alt="" width={44} height={44} />
            <Title order={1}>Graph Data Service</Title>
            <Text size="sm" c="dimmed">
              Log in to explore and edit the graph.
            </Text>
          </Stack>
          {notice && (
            <Alert color="yellow" variant="light" role="status" p="xs">
              {notice}
            </Alert>
          )}
          <LoginChoices label="Log in" singleSignOn={() => session.beginSingleSignOn()} />
        </Stack>
      </div>
    </main>
  );
}
