import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSsoOrganization } from '../../server/system/sso-organization.ts'
import { type System, startSystem } from '../../server/system/start-system.ts'
import { type DnsServer, startDnsServer } from '../../server/testing/dns-server.ts'
import { codeAt } from '../../server/testing/enroll-factors.ts'
import { type OidcProvider, startOidcProvider } from '../../server/testing/oidc-provider.ts'
import { addAuthenticator } from '../testing/authenticator.ts'
import { chromiumPath, launch } from '../testing/browser.ts'
import { type Filled, fill } from '../testing/fill.ts'
import { fillSignIn, open, PAGES, settled, signIn } from '../testing/pages.ts'
import { member, type Visitor, visitor } from '../testing/visitors.ts'
import { treasurerTests } from './treasurer-tests.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const FIRST_LOAD_BYTES_MAX = 300_000
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** The response of the service once the second factor was proved longer ago than a quarter of an hour. */
const STALE = { code: 'FORBIDDEN', details: { reason: 'step_up_required', factors: ['passkey', 'recovery_code'] } }
const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

const path = chromiumPath()
if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')

describe.skipIf(path === undefined)('the dashboard in a browser', () => {
  let system: System
  let browser: Browser
  let dns: DnsServer
  let provider: OidcProvider
  let filled: Filled
  /** Passkeys belong to a domain, so the browser goes to localhost. */
  let url: string
  const members = new Map<string, Promise<Visitor>>()

  beforeAll(async () => {
    dns = await startDnsServer()
    ;[system, browser] = await Promise.all([startSystem({ DNS_SERVERS: dns.address }), launch(path!)])
    provider = await startOidcProvider(`${system.process.url}/api/core/auth/sso/callback`)
    url = system.process.url.replace('127.0.0.1', 'localhost')
    filled = await fill(url)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await provider?.close()
    await system?.stop()
    await dns?.close()
  })

  const as = (role: keyof Filled['emails']) => ({ email: filled.emails[role], password: filled.password })
  /** The member with this role; each signs in once. */
  function memberOf(role: keyof Filled['emails']): Promise<Visitor> {
    const known = members.get(role) ?? member(browser, url, as(role))
    members.set(role, known)
    return known
  }

  /** What axe-core finds serious or critical. The content policy keeps it out of the page, so it runs through the debugger. */
  async function barriers(page: Page, rules?: readonly string[]): Promise<string[]> {
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
    const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
    return (await page.evaluate(
      `axe.run(document, ${options}).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')))`,
    )) as string[]
  }
  const isWide = (page: Page) => page.evaluate('document.documentElement.scrollWidth > innerWidth')

  const names = Object.keys(PAGES)
  const third = Math.ceil(names.length / 3)
  test.each([names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)])(
    'pages are full, accessible and without an error in light, dark and phone width: %s and so on',
    async (...group) => {
      const { page, problems } = await memberOf('owner')
      for (const name of group) {
        await page.setViewportSize(DESKTOP)
        await open(page, url + PAGES[name])
        expect(await page.getByRole('alert').allTextContents(), name).toEqual([])
        expect(await barriers(page), `${name} in light`).toEqual([])
        expect(await isWide(page), `${name} scrolls sideways`).toBe(false)
        // The same elements in other colors.
        await page.emulateMedia({ colorScheme: 'dark' })
        expect(await barriers(page, COLOR_RULES), `${name} in dark`).toEqual([])
        await page.emulateMedia({ colorScheme: 'light' })
        await page.setViewportSize(PHONE)
        await settled(page)
        expect(await barriers(page), `${name} on a phone`).toEqual([])
        expect(await isWide(page), `${name} scrolls sideways on a phone`).toBe(false)
      }
      expect(problems).toEqual([])
    },
  )

  treasurerTests(() => ({ url, memberOf, barriers }))

  test('the first load fits in 300 KB, nothing moves, and no script holds a token', async () => {
    const { context, page } = await visitor(browser)
    let bytes = 0
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname.match(/^\/(?:assets\/.*)?$/))
        bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await signIn(page, url, as('viewer'))
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
    await page.addInitScript(
      'window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value }).observe({ type: "layout-shift", buffered: true })',
    )
    await open(page, `${url}/`)
    expect(await page.evaluate('window.moved')).toBe(0)
    const held = (await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )) as string
    expect(JSON.parse(held)).toEqual([{ 'weir.known': 'yes' }, {}, ''])
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await context.close()
  })

  test('two people approve what waits with passkeys over what they see, and the third role only looks', async () => {
    const { page: looks } = await memberOf('viewer')
    await open(looks, `${url}/app/operations`)
    expect(await looks.getByRole('button', { name: /Approve operation/ }).count()).toBe(0)
    expect(await looks.getByText('Approvers decide').count()).toBe(1)
    await open(looks, `${url}/app/audit`)
    await looks.getByText('You may not see this').waitFor()
    expect(await barriers(looks)).toEqual([])

    const { page: approver } = await memberOf('approver')
    await open(approver, `${url}/app/operations`)
    await approver.getByRole('button', { name: /Approve operation/ }).click()
    await approver.getByText('1 of 2 approvals.').waitFor()

    const { page: owner } = await memberOf('owner')
    await owner.setViewportSize(DESKTOP)
    await makePasskey(owner)
    await open(owner, `${url}/app/members`)
    await owner.route('**/signed-approvals', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await owner.getByRole('switch', { name: 'Require signed approvals' }).click()
    await owner.getByRole('dialog', { name: 'Verify it is you' }).waitFor()
    expect(await barriers(owner)).toEqual([])
    await owner.getByRole('button', { name: 'Use a passkey' }).click()
    await owner.getByText('Saved.').waitFor()

    // The approval without a signature does not count; without a passkey there is no other.
    await approve(approver)
    await approver.getByRole('link', { name: 'Add one in your account' }).waitFor()
    expect(await barriers(approver)).toEqual([])
    await makePasskey(approver)
    await approve(approver)
    const shown = approver.getByRole('dialog').locator('dl')
    await shown.getByText('SUPPLY').waitFor()
    expect(await barriers(approver)).toEqual([])
    await approver.getByRole('button', { name: 'Sign with your passkey' }).click()
    await approver.getByText('1 of 2 approvals.').waitFor()

    const { page: admin } = await memberOf('admin')
    await makePasskey(admin)
    // A service that asks for a signature over something else than it shows gets none.
    await admin.route('**/approval-request', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('amount: ', 'amount: 1') })
    })
    await approve(admin)
    await admin.getByRole('button', { name: 'Sign with your passkey' }).click()
    await admin.getByText('The service asks for a signature over something else.').waitFor()
    await admin.unroute('**/approval-request')
    await approve(admin)
    await admin.getByRole('button', { name: 'Sign with your passkey' }).click()
    await admin.getByText('The last approval arrived.').waitFor()
  })

  /** Opens the queue and approves the operation in it, up to the dialog for the signature. */
  async function approve(page: Page): Promise<void> {
    await open(page, `${url}/app/operations`)
    await page.getByRole('button', { name: /Approve operation/ }).click()
    await page.getByRole('dialog', { name: 'Sign the approval' }).waitFor()
  }

  async function makePasskey(page: Page): Promise<void> {
    await addAuthenticator(page)
    await open(page, `${url}/app/account`)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Make the passkey' }).click()
    await page.getByLabel('Codes to store').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 recovery codes left.').waitFor()
  }

  test('a passkey signs in without a password, and is the second factor after one', async () => {
    const { context, page } = await memberOf('admin')
    await context.clearCookies()
    await page.goto(`${url}/`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await context.clearCookies()
    await page.goto(`${url}/app/venues`)
    await fillSignIn(page, as('admin'))
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
  })

  test('money that waits in an exit is counted, and its page says when it comes and who claims it', async () => {
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/wallets`)
    await page.getByRole('row', { name: /^Reserve 0x/ }).click()
    const wallet = page.getByRole('dialog', { name: 'Operational wallet' })
    expect(await wallet.locator('dl').first().textContent()).toContain('Exiting15,000.00 USDC')
    expect(await barriers(page)).toEqual([])
    await wallet.getByRole('region', { name: 'Exits' }).getByRole('link', { name: 'Cooldown USDC' }).click()
    const exit = page.getByRole('dialog', { name: 'Exit' })
    await exit.getByText('Weir plans the claim by itself').waitFor()
    expect(await exit.locator('dl').textContent()).toMatch(/Requested15,000\.00 USDC.*Claimable0\.00 USDC/)
    await exit.getByRole('link', { name: /^Request #/ }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
    await exit.waitFor({ state: 'detached' })

    const exits = page.getByRole('region', { name: 'Exits' }).first()
    expect(await page.getByText(/and 20,000\.\d+ in exits/).count()).toBe(1)
    await exits.getByRole('row', { name: /Queued USDC/ }).click()
    await exit.getByText('Only the owner of this wallet can claim').waitFor()
    await exit.getByRole('button', { name: 'Claim as curl: POST /v1/operations/claim' }).waitFor()
    await open(page, `${url}/app/allocations?exits=claimed`)
    await page.getByText('No exit is claimed').waitFor()

    // A position that is being withdrawn is neither gone nor hidden.
    const { page: owner } = await memberOf('owner')
    await owner.setViewportSize(DESKTOP)
    await open(owner, `${url}/app/allocations`)
    await owner.getByRole('row', { name: /^Cooldown Vaults/ }).click()
    await owner.getByText('This strategy pays later').waitFor()
    await owner.getByRole('textbox', { name: 'Amount' }).fill('100')
    await owner.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await owner.getByText(/^Operation \d+: /).waitFor()
    await open(page, `${url}/app/allocations`)
    await page.getByRole('link', { name: '1 being withdrawn' }).click()
    await page.getByRole('row', { name: /^Cooldown Vaults Unwinding/ }).waitFor()
    await open(page, `${url}/app/wallets`)
    await page.getByRole('row', { name: /^Reserve 0x/ }).click()
    await wallet.getByRole('row', { name: /^Cooldown Vaults Unwinding/ }).waitFor()

    // The parts of the wallet make its total only together with what waits.
    await open(page, `${url}/app/reconciliation`)
    expect(await page.getByRole('row', { name: /^Reserve 0x/ }).textContent()).toMatch(/15,000\.00.*Yes$/)
  })

  test('a circuit breaker says what tripped it; an admin lifts it, and sets thresholds after a step-up', async () => {
    const { page: looks } = await memberOf('viewer')
    await open(looks, `${url}/`)
    await looks.getByText('1 circuit breaker stops deposits').waitFor()
    await looks.getByRole('link', { name: 'Queued USDC' }).click()
    await looks.getByText('The share price was 3.00 % below its highest of 30 days.').waitFor()
    await looks.getByText('more than 1.00 % below its highest of 30 days').waitFor()
    expect(await looks.getByRole('button', { name: /^Accept|Save/ }).count()).toBe(0)

    const { page } = await memberOf('owner')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/venues?tab=breakers`)
    await page.getByRole('switch', { name: 'Off its peg' }).click()
    const threshold = page.getByRole('textbox', { name: 'Threshold: Off its peg' })
    await threshold.fill('2,5')
    await page.getByText('A percentage such as 2.50').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await barriers(page)).toEqual([])
    await threshold.fill('2.5')
    await page.route('**/circuit-breakers', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('The circuit breakers are set.').waitFor()
    expect(await threshold.inputValue()).toBe('2.50')

    await page.getByRole('button', { name: 'Accept price fall of Queued USDC' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deposit into Queued USDC again?' })
    expect(await barriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByRole('row', { name: /Queued USDC.*Accepted/ }).waitFor()

    await page.getByRole('link', { name: 'Queued USDC' }).click()
    const strategy = page.getByRole('dialog', { name: 'Strategy' })
    await strategy.getByRole('button', { name: '90 days' }).click()
    await strategy.getByRole('button', { name: 'As a table' }).first().click()
    await strategy.getByRole('table', { name: 'Size' }).getByRole('row').nth(2).waitFor()
    await strategy.getByText('Withdrawals are requested').waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('single sign-on returns to where one was; an app and a recovery code prove who it is', async () => {
    const domain = 'directory.example'
    await createSsoOrganization({ system, dns, domain, provider: { issuer: provider.issuer } })
    provider.people.set('sam', { email: `sam@${domain}`, email_verified: true })
    const { context, page } = await visitor(browser)
    const startAt = async (address: string) => {
      await page.goto(system.process.url + address)
      await page.getByRole('button', { name: 'Single sign-on' }).click()
      await page.getByLabel('E-mail address').fill(`sam@${domain}`)
      await page.getByRole('button', { name: 'Continue to your provider' }).click()
      await page.locator('[name=login]').fill('sam')
      await page.locator('[name=password]').fill('any')
      await page.locator('[type=submit]').click()
      await page.locator('[type=submit]').click()
      await page.getByRole('link', { name: 'Continue in the dashboard' }).click()
    }
    await startAt('/app/account')
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor()
    expect(page.url()).toBe(`${system.process.url}/app/account`)
    await page.getByRole('button', { name: 'Add an app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    const key = (await page.getByLabel('Key for the app').textContent()) ?? ''
    expect(await barriers(page)).toEqual([])
    await page.getByLabel('First code').fill(codeAt(key, new Date()))
    await page.getByRole('button', { name: 'Confirm' }).click()
    const codes = (await page.getByLabel('Codes to store').textContent()) ?? ''
    await page.getByRole('button', { name: 'I have stored them' }).click()
    await page.getByText('10 recovery codes left.').waitFor()

    // The provider's word is one factor; the other is proved here.
    await context.clearCookies()
    await startAt('/app/account')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByLabel(/recovery code/).fill(codes.split('\n')[0]!)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('9 recovery codes left.').waitFor()
    expect(page.url()).toBe(`${system.process.url}/app/account`)
    await context.close()
  })

  test('a page whose data cannot be read says so, and tries again', async () => {
    const { page } = await memberOf('viewer')
    await page.route('**/v1/venues*', (route) =>
      route.fulfill({ status: 409, body: '{"code":"CONFLICT","message":"Not now."}' }),
    )
    await page.goto(`${url}/app/venues`)
    await page.getByText('Not now.').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.unroute('**/v1/venues*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Yield Vault USDC').first().waitFor()
  })

  test('the keyboard finds any page', async () => {
    const { page } = await memberOf('viewer')
    await open(page, `${url}/`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('venues')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
  })

  test('a session that ends returns to where one was', async () => {
    const { context, page } = await member(browser, url, as('viewer'))
    await open(page, `${url}/app/venues?chain=polygon`)
    await context.clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    await fillSignIn(page, as('viewer'))
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    expect(page.url()).toContain('/app/venues?chain=polygon')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    expect(await context.cookies()).toEqual([])
    await context.close()
  })

  test('from nothing to yield in five steps, and on to a treasury that this tab signs for', async () => {
    const { context, page, problems } = await visitor(browser)
    await page.goto(`${url}/`)
    await page.getByRole('button', { name: 'Create an organization' }).click()
    await page.getByLabel('Organization').fill('Fresh Payments')
    await page.getByLabel('E-mail address').fill('fresh@fresh.example')
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password')
    await page.getByRole('button', { name: 'Create and sign in' }).click()
    await page.getByRole('link', { name: 'Begin' }).click()
    for (const name of [
      'Make the wallet',
      'Open the faucet',
      'Plan and sign',
      'Let thirty days pass',
      'Withdraw and sign',
    ]) {
      await page.getByRole('button', { name }).click()
    }
    await page.getByText(/The wallet holds 1,00[1-9]\./).waitFor()
    await page.getByRole('button', { name: 'Make it a treasury' }).click()
    await page.getByText(/The agent signed \d+ transaction/).waitFor()
    for (const address of ['/', '/app/changes', '/app/ramp', '/app/reconciliation', '/app/activity?tab=webhooks']) {
      await page.goto(url + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await barriers(page), `empty ${address}`).toEqual([])
    }
    expect(problems).toEqual([])
    await context.close()
  })

  test('the documents find the section of a question, with a typing error too', async () => {
    const { context, page, problems } = await visitor(browser)
    await page.goto(`${url}/docs/`)
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('/')
    await page.getByRole('searchbox').fill('how do I verfy a webhook signature?')
    const [first] = await page.locator('dialog li a strong').all()
    await first?.waitFor()
    expect(await page.locator('dialog li a strong').first().textContent()).toBe('How do I verify a signature?')
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/search.png` })
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks#how-do-i-verify-a-signature$/)
    expect(problems).toEqual([])
    await context.close()
  })
})
