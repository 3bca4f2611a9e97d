import type { Browser } from 'playwright-core'
import { type System, startSystem } from '../../server/system/service/start-system.ts'
import { backdateLedger } from '../../server/testing/ledger/backdate-ledger.ts'
import { type DnsServer, startDnsServer } from '../../server/testing/stand-ins/dns-server.ts'
import { type OidcProvider, startOidcProvider } from '../../server/testing/stand-ins/oidc-provider.ts'
import { lastDay, today } from '../src/lib/dates/as-of.ts'
import { launch } from './browser.ts'
import { type Filled, fill } from './fill.ts'
import { member, type Visitor } from './visitors.ts'

export const DESKTOP = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }
/** The response of the service once the second factor was proved longer ago than a quarter of an hour. */
export const STALE = {
  code: 'FORBIDDEN',
  details: { reason: 'step_up_required', factors: ['passkey', 'recovery_code'] },
}

/** As a tab behind another one; the next load of the page shows it again. A blank page would end its process. */
const HIDE =
  "Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"

type Role = keyof Filled['emails']

/** The service, the browser and the filled organization that all tests of the dashboard share. */
export interface DashboardFixture {
  readonly system: System
  readonly browser: Browser
  readonly dns: DnsServer
  readonly provider: OidcProvider
  /** Passkeys belong to a domain, so the browser goes to localhost. */
  readonly url: string
  /** The day in UTC on which the organization was filled, and the one before: the tests may run past midnight. */
  readonly filledOn: string
  readonly dayBefore: string
  readonly as: (role: Role) => { readonly email: string; readonly password: string }
  /** The member with this role; each signs in once. */
  readonly memberOf: (role: Role) => Promise<Visitor>
  /**
   * After each test: no route outlives it, and the pages of the members, left open, would read again whatever the next
   * tests change.
   */
  readonly rest: () => Promise<void>
  readonly close: () => Promise<void>
}

export async function startDashboard(chromium: string): Promise<DashboardFixture> {
  const dns = await startDnsServer()
  const [system, browser] = await Promise.all([startSystem({ DNS_SERVERS: dns.address }), launch(chromium)])
  const provider = await startOidcProvider(`${system.process.url}/api/core/auth/sso/callback`)
  const url = system.process.url.replace('127.0.0.1', 'localhost')
  const begin = Date.now()
  const filled = await fill(url)
  await backdateLedger(system.dataDir)
  const members = new Map<Role, Promise<Visitor>>()
  const as = (role: Role) => ({ email: filled.emails[role], password: filled.password })
  return {
    system,
    browser,
    dns,
    provider,
    url,
    filledOn: today(begin),
    dayBefore: lastDay(begin),
    as,
    memberOf(role) {
      const known = members.get(role)
      if (known !== undefined) return known
      const made = member(browser, url, as(role))
      members.set(role, made)
      // The next attempt signs in again.
      made.catch(() => members.delete(role))
      return made
    },
    async rest() {
      for (const page of browser.contexts().flatMap((context) => context.pages()))
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      for (const made of await Promise.allSettled(members.values()))
        if (made.status === 'fulfilled') await made.value.page.evaluate(HIDE)
    },
    async close() {
      await browser.close()
      await provider.close()
      await system.stop()
      await dns.close()
    },
  }
}
