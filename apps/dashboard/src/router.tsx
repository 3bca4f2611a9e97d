import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Overview } from './pages/overview/overview.tsx'
import { PageError, PageFileError } from './parts/frame/page-error.tsx'
import { Missing, PagePending, Root } from './parts/frame/root.tsx'

const root = createRootRoute({ component: Root, notFoundComponent: Missing })
type Page = () => Promise<object>
/** The router would load the tab again for a missing file, and the browser show its own error for the whole page. */
const orError = (load: Page) => () =>
  load().catch((cause) => {
    throw new PageFileError('The file of this page could not be loaded.', { cause })
  })
const page = (path: string, load: Page, name: string) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(orError(load) as never, name as never),
  })
/** The overview is in the first load, so that its requests wait for no other file. */
const first = (path: string) => createRoute({ getParentRoute: () => root, path, component: Overview })

const routes = [
  first('/'),
  first('/app/sign-in'),
  page('/app/start', () => import('./pages/start/start.tsx'), 'Start'),
  page('/app/wallets', () => import('./pages/wallets/wallets.tsx'), 'Wallets'),
  page('/app/operations', () => import('./pages/operations/operations.tsx'), 'Operations'),
  page('/app/allocations', () => import('./pages/allocations/allocations.tsx'), 'Allocations'),
  page('/app/venues', () => import('./pages/venues/venues.tsx'), 'Venues'),
  page('/app/ramp', () => import('./pages/ramp/ramp.tsx'), 'Ramp'),
  page('/app/reconciliation', () => import('./pages/reconciliation/reconciliation.tsx'), 'Reconciliation'),
  page('/app/health', () => import('./pages/health.tsx'), 'Health'),
  page('/app/activity', () => import('./pages/activity/activity.tsx'), 'Activity'),
  page('/app/developers', () => import('./pages/developers/developers.tsx'), 'Developers'),
  page('/app/policy', () => import('./pages/policy/policy.tsx'), 'Policy'),
  page('/app/changes', () => import('./pages/changes/changes.tsx'), 'Changes'),
  page('/app/members', () => import('./pages/members/members.tsx'), 'Members'),
  page('/app/account', () => import('./pages/account/account.tsx'), 'MyAccount'),
  page('/app/settings', () => import('./pages/settings/settings.tsx'), 'Settings'),
  page('/app/audit', () => import('./pages/audit/audit.tsx'), 'Audit'),
  page('/app/sandbox', () => import('./pages/sandbox/sandbox.tsx'), 'Sandbox'),
]

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
})
// Found before the first render, the page is part of it. Otherwise the router shows it in a second one, which no tap can
// interrupt.
router.load().catch(console.error)
