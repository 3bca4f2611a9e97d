import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type System, startSystem } from '../../server/system/start-system.ts'
import { chromiumPath, launch } from '../testing/browser.ts'
import { type Filled, fill } from '../testing/fill.ts'
import { open, PAGES, settled, signIn } from '../testing/pages.ts'
import { member, type Visitor, visitor } from '../testing/visitors.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const FIRST_LOAD_BYTES_MAX = 300_000
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
const DESKTOP = { width: 1280, height: 860 }
const PHONE = { width: 390, height: 844 }

const path = chromiumPath()
if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')

describe.skipIf(path === undefined)('the dashboard in a browser', () => {
  let system: System
  let browser: Browser
  let filled: Filled
  /** Passkeys belong to a domain, so the browser goes to localhost. */
  let url: string
  const members = new Map<string, Promise<Visitor>>()

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), launch(path!)])
    url = system.process.url.replace('127.0.0.1', 'localhost')
    filled = await fill(url)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
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

  test('the first load fits in 300 KB, nothing moves, and no script holds a token', async () => {
    const { context, page } = await visitor(browser)
    let bytes = 0
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname.match(/^\/(?:assets\/.*)?$/))
        bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await signIn(page, url, as('owner'))
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

  test('two people approve what waits, and the third role only looks', async () => {
    const { page: looks } = await memberOf('viewer')
    await open(looks, `${url}/app/operations`)
    expect(await looks.getByRole('button', { name: /Approve operation/ }).count()).toBe(0)
    expect(await looks.getByText('Approvers decide').count()).toBe(1)
    await open(looks, `${url}/app/audit`)
    await looks.getByText('You may not see this').waitFor()
    expect(await barriers(looks)).toEqual([])
    for (const [role, message] of [
      ['approver', '1 of 2 approvals.'],
      ['admin', 'The last approval arrived.'],
    ] as const) {
      const { page } = await memberOf(role)
      await open(page, `${url}/app/operations`)
      await page.getByRole('button', { name: /Approve operation/ }).click()
      await page.getByText(message).waitFor()
    }
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
    await page.getByLabel('E-mail address').fill(filled.emails.viewer)
    await page.getByRole('textbox', { name: 'Password' }).fill(filled.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
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
})
