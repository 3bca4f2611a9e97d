import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type System, startSystem } from '../../server/system/start-system.ts'
import { chromiumPath, launch } from '../testing/browser.ts'
import { type Filled, fill } from '../testing/fill.ts'
import { open, PAGES, signIn } from '../testing/pages.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const FIRST_LOAD_BYTES_MAX = 300_000

const path = chromiumPath()
if (path === undefined) process.stderr.write('SKIPPED: there is no Chromium, so no page of the dashboard is tested\n')

describe.skipIf(path === undefined)('the dashboard in a browser', () => {
  let system: System
  let browser: Browser
  let filled: Filled
  let problems: string[] = []

  beforeAll(async () => {
    ;[system, browser] = await Promise.all([startSystem(), launch(path!)])
    filled = await fill(system.process.url)
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    await system?.stop()
  })

  /** A browser of its own that notes every error of its console and every breach of the content policy. */
  async function visitor(
    options: Parameters<Browser['newContext']>[0] = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    problems = []
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 860 },
      ...options,
    })
    const page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    return { context, page }
  }
  const as = (role: keyof Filled['emails']) => ({ email: filled.emails[role], password: filled.password })

  /** What axe-core finds serious or critical. The content policy keeps it out of the page, so it runs through the debugger. */
  async function barriers(page: Page): Promise<string[]> {
    await page.evaluate(AXE)
    const found = (await page.evaluate(
      `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).slice(0, 3).join(' | ')))`,
    )) as string[]
    return found
  }

  for (const [view, options] of Object.entries({
    light: {},
    dark: { colorScheme: 'dark' as const },
    phone: { viewport: { width: 390, height: 844 } },
  })) {
    test(`every page is full, accessible and without an error in ${view}`, async () => {
      const { context, page } = await visitor(options)
      await signIn(page, system.process.url, as('owner'))
      for (const [name, address] of Object.entries(PAGES)) {
        await open(page, system.process.url + address)
        expect(await page.getByRole('alert').allTextContents(), name).toEqual([])
        expect(await barriers(page), `${name} in ${view}`).toEqual([])
        const isWide = (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean
        expect(isWide, `${name} in ${view} scrolls sideways`).toBe(false)
      }
      expect(problems).toEqual([])
      await context.close()
    })
  }

  test('the first load fits in 300 KB, nothing moves, and no script holds a token', async () => {
    const { context, page } = await visitor()
    let bytes = 0
    page.on('response', async (response) => {
      if (new URL(response.url()).pathname.match(/^\/(?:assets\/.*)?$/))
        bytes += Number(response.headers()['content-length'] ?? 0)
    })
    await signIn(page, system.process.url, as('owner'))
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES_MAX)
    await page.addInitScript(
      'window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.moved += entry.value }).observe({ type: "layout-shift", buffered: true })',
    )
    await open(page, `${system.process.url}/`)
    expect(await page.evaluate('window.moved')).toBeLessThan(0.01)
    const held = (await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )) as string
    expect(JSON.parse(held)).toEqual([{ 'weir.known': 'yes' }, {}, ''])
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await context.close()
  })

  test('two people approve what waits, and the third role only looks', async () => {
    const { url } = system.process
    const viewer = await visitor()
    await signIn(viewer.page, url, as('viewer'))
    await open(viewer.page, `${url}/app/operations`)
    expect(await viewer.page.getByRole('button', { name: /Approve operation/ }).count()).toBe(0)
    expect(await viewer.page.getByText('Approvers decide').count()).toBe(1)
    await open(viewer.page, `${url}/app/audit`)
    await viewer.page.getByText('You may not see this').waitFor()
    expect(await barriers(viewer.page)).toEqual([])
    await viewer.context.close()
    for (const [role, message] of [
      ['approver', '1 of 2 approvals.'],
      ['admin', 'The last approval arrived.'],
    ] as const) {
      const { context, page } = await visitor()
      await signIn(page, url, as(role))
      await open(page, `${url}/app/operations`)
      await page.getByRole('button', { name: /Approve operation/ }).click()
      await page.getByText(message).waitFor()
      await context.close()
    }
  })

  test('a session that ends returns to where one was', async () => {
    const { context, page } = await visitor()
    await signIn(page, system.process.url, as('admin'))
    await open(page, `${system.process.url}/app/venues?chain=polygon`)
    await context.clearCookies()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to Weir' }).waitFor()
    await page.getByLabel('E-mail address').fill(filled.emails.admin)
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
    const { context, page } = await visitor()
    await page.goto(`${system.process.url}/`)
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
      await page.goto(system.process.url + address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await barriers(page), `empty ${address}`).toEqual([])
    }
    expect(problems).toEqual([])
    await context.close()
  })

  test('a page whose data cannot be read says so, and tries again', async () => {
    const { context, page } = await visitor()
    await signIn(page, system.process.url, as('owner'))
    await page.route('**/v1/venues*', (route) =>
      route.fulfill({ status: 409, body: '{"code":"CONFLICT","message":"Not now."}' }),
    )
    await page.goto(`${system.process.url}/app/venues`)
    await page.getByText('Not now.').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.unroute('**/v1/venues*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Yield Vault USDC').first().waitFor()
    await context.close()
  })

  test('the keyboard finds any page', async () => {
    const { context, page } = await visitor()
    await signIn(page, system.process.url, as('viewer'))
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('venues')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await context.close()
  })
})
