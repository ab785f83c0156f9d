import { ActionIcon, Button, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Moon, Search, Sun } from 'lucide-react';
import { useEffect, type MouseEvent, type ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { addressOf } from '../api/address';
import { ProposalBar, ProposeSwitch } from '../changesets/ProposalBar';
import { WaitingCount } from '../changesets/WaitingCount';
import { usePermissions, useSession } from '../session/session';
import { BudgetBar } from './BudgetBar';
import { HelpMenu } from './HelpMenu';
import { keepFocus } from './keepFocus';
import { OutageBar } from './OutageBar';
import { PageBoundary } from './PageBoundary';
import { isAdminPath, pageTitle, visibleAdminPages, visiblePages } from './pages';
import { openPalette, Palette } from './Palette';
import { UserMenu } from './UserMenu';
import { ViewAsBar } from './ViewAsBar';

const tab = ({ isActive }: { isActive: boolean }) => (isActive ? 'tab active' : 'tab');

/** Moves the focus to the content: past the list of types, if the page has one. */
function skipToContent(event: MouseEvent) {
  event.preventDefault();
  (document.getElementById('content') ?? document.getElementById('main'))?.focus();
}

/** The frame of every page: navigation, palette and user menu. */
export function Shell({ children }: { children: ReactNode }) {
  const may = usePermissions();
  const { me } = useSession();
  const adminPages = visibleAdminPages(may);
  const { pathname, search } = useLocation();
  const administering = isAdminPath(pathname);
  // On Explore the list alone is the main landmark, beside the types and the panel.
  const Main = pathname === '/explore' ? 'div' : 'main';
  useEffect(() => {
    document.title = pageTitle(pathname, search);
  }, [pathname, search]);
  useEffect(keepFocus, []);
  return (
    <div className="frame">
      <header className="bar">
        <a className="skip" href="#main" onClick={skipToContent}>
          Skip to content
        </a>
        <NavLink className="brand" to="/" aria-label="Graph Data Service" tabIndex={-1}>
          <img src={addressOf('/static/icon.svg')} alt="" width={26} height={26} />
          <span>Graph Data Service</span>
        </NavLink>
        <nav className="tabs" aria-label="Pages">
          {visiblePages(may).map((page) => (
            <NavLink key={page.path} className={tab} to={page.path} end={page.path === '/'}>
              {page.name}
              {page.path === '/change-sets' && me && <WaitingCount me={me} />}
            </NavLink>
          ))}
          {adminPages.length > 0 && (
            <Link className={administering ? 'tab active' : 'tab'} to={adminPages[0]!.path}>
              Administration
            </Link>
          )}
        </nav>
        <span className="spacer" />
        <Button
          variant="default"
          size="xs"
          leftSection={<Search size={14} aria-hidden />}
          rightSection={<span className="kbd search-hint">Ctrl K</span>}
          onClick={openPalette}
          className="find"
          style={{ flex: 'none' }}
        >
          <span className="find-label">Find</span>
        </Button>
        <HelpMenu />
        <ProposeSwitch />
        <SchemeSwitch />
        <UserMenu />
      </header>
      {administering && adminPages.length > 0 && (
        <nav className="admin-tabs" aria-label="Administration">
          {adminPages.map((page) => (
            <NavLink key={page.path} className={tab} to={page.path}>
              {page.name}
            </NavLink>
          ))}
        </nav>
      )}
      <ViewAsBar />
      <BudgetBar />
      <OutageBar />
      <ProposalBar />
      <Main className="main" id="main" tabIndex={-1}>
        <PageBoundary path={pathname}>{children}</PageBoundary>
      </Main>
      <Palette />
    </div>
  );
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const label = dark ? 'Light theme' : 'Dark theme';
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
        {dark ? <Sun size={18} /> : <Moon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}
