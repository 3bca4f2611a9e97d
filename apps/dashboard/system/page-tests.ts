import { expect, test } from 'vitest'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { inShort, LOOKS } from '../testing/in-short.ts'
import { coveredControls, cutTables, isWide, NOTIFICATION_HEIGHT } from '../testing/layout.ts'
import { open, PAGES, settled, signIn, visit } from '../testing/pages.ts'
import { member, visitor } from '../testing/visitors.ts'

const FIRST_LOAD_BYTES_MAX = 300_000
const FIRST_FILES_MAX = 15
/** The session, the stream of events, and seven reads. */
const FIRST_READS_MAX = 9
/** More than any page needs from its beginning to its first row. */
const TABS_MAX = 30

/** What holds for every page. */
export function pageTests(fixture: () => DashboardFixture): void {
  const names = Object.keys(PAGES)
  const third = Math.ceil(names.length / 3)
  test.each([names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)])(
    'pages are full, accessible and without an error in light, dark and phone width: %s and so on',
    async (...group) => {
      const { url, memberOf } = fixture()
      const { page, problems } = await memberOf('owner')
      // What a first attempt noted is reported already.
      problems.length = 0
      await page.setViewportSize(DESKTOP)
      await open(page, `${url}/`)
      const found: string[] = []
      for (const name of group) {
        await visit(page, PAGES[name]!)
        const note = (where: string, list: readonly string[]) =>
          found.push(...list.map((each) => `${name} ${where}: ${each}`))
        const looks = inShort(LOOKS, names.indexOf(name))
        note('says', await page.getByRole('alert').allTextContents())
        if (looks.includes('light')) note('in light', await barriers(page))
        note('cuts a table', await cutTables(page))
        note('has under a notification', await coveredControls(page, 'main'))
        if (await isWide(page)) note('in light', ['scrolls sideways'])
        // The same elements in other colors.
        if (looks.includes('dark')) note('in dark', await barriersInDark(page))
        await page.setViewportSize(PHONE)
        await settled(page)
        if (looks.includes('phone')) note('on a phone', await barriers(page))
        note('on a phone cuts a table', await cutTables(page))
        note('on a phone has under a notification', await coveredControls(page, 'main'))
        if (await isWide(page)) note('on a phone', ['scrolls sideways'])
        await page.setViewportSize(DESKTOP)
      }
      expect(found).toEqual([])
      expect(problems).toEqual([])
    },
  )

  test('the first load fits in 300 KB, nothing moves on a desktop or a phone, and no script holds a token', async () => {
    const { url, browser, as } = fixture()
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
    for (const size of [DESKTOP, PHONE]) {
      await page.setViewportSize(size)
      await open(page, `${url}/`)
      expect(await page.evaluate('window.moved'), `${size.width} pixels wide`).toBe(0)
    }
    const held = (await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )) as string
    expect(JSON.parse(held)).toEqual([{ 'weir.known': 'yes' }, {}, ''])
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
    await context.close()
  })

  test('the overview needs the files that its page names and no other, and few reads, each once', async () => {
    const { url, browser, as } = fixture()
    const { context, page } = await member(browser, url, as('viewer'))
    const asked = new Set<string>()
    const sent: string[] = []
    page.on('request', (request) => {
      asked.add(new URL(request.url()).pathname)
      sent.push(request.url())
    })
    const response = await page.goto(`${url}/`)
    const named = new Set(
      [...(await response!.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path!),
    )
    await settled(page)
    const files = [...asked].filter((path) => path.startsWith('/assets/'))
    expect(files.length).toBeGreaterThan(2)
    expect(files.length).toBeLessThanOrEqual(FIRST_FILES_MAX)
    expect(files.filter((path) => !named.has(path))).toEqual([])
    const reads = [...asked].filter((path) => /^\/(?:api|v1)\//.test(path))
    expect(reads).toContain('/api/core/auth/browser-session')
    expect(reads.length).toBeLessThanOrEqual(FIRST_READS_MAX)
    expect(sent.filter((each, index) => sent.indexOf(each) !== index)).toEqual([])
    await context.close()
  })

  test('a page whose data cannot be read says so, and tries again', async () => {
    const { url, memberOf } = fixture()
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

  test('the filters of a page get a name, and its request is a call of the SDK', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/operations?tab=history&status=COMPLETED`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByLabel('Name of this view').fill('Finished')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Finished' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await open(page, `${url}/app/operations`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('link', { name: 'Finished' }).click()
    await page.getByRole('button', { name: /^Copy GET .*status=COMPLETED as curl/ }).click()
    await page.getByText('SDK', { exact: true }).click()
    await page.getByText('weir.core.operations.history({').waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('what an account changes without a secret is a request to copy, too', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/account`)
    await page.getByRole('button', { name: 'Copy PUT /api/core/auth/notifications as curl or SDK' }).click()
    await page.getByLabel('Language').getByText('SDK').click()
    await page.getByText('weir.core.notifications.update({').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy DELETE /api/core/auth/sessions as curl or SDK' }).click()
    await page.getByText('-X DELETE').waitFor()
    expect(await barriers(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a notification leaves the menus beside it, and what opens from a button is over it', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(PHONE)
    await open(page, `${url}/app/account`)
    const mails = page.getByLabel('Email me when something waits for my approval')
    await mails.click()
    const notification = await page.locator('.mantine-Notification-root').filter({ hasText: 'Saved.' }).boundingBox()
    expect(notification!.height).toBeLessThanOrEqual(NOTIFICATION_HEIGHT)
    for (const name of ['Open the menu', /account of/]) {
      const menu = (await page.getByRole('button', { name }).boundingBox())!
      const isBeside = menu.x + menu.width <= notification!.x || menu.x >= notification!.x + notification!.width
      expect(isBeside, String(name)).toBe(true)
    }
    await mails.click()
    await page.setViewportSize(DESKTOP)
    await page.getByRole('button', { name: 'Copy PUT /api/core/auth/notifications as curl or SDK' }).click()
    await page.getByLabel('Language').getByText('SDK').waitFor()
    expect(await coveredControls(page, '[role=dialog]', { moved: true })).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('a tab that nobody sees holds no connection, and catches up when it is seen', async () => {
    const { url, memberOf } = fixture()
    const { context, page } = await memberOf('viewer')
    const isStream = (request: { url(): string }) => request.url().endsWith('/api/core/events')
    const see = (isSeen: boolean) =>
      page.evaluate(
        `Object.defineProperty(document, 'hidden', { value: ${!isSeen}, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))`,
      )
    const opened = page.waitForResponse((response) => isStream(response.request()))
    await open(page, `${url}/`)
    await opened
    await Promise.all([page.waitForEvent('requestfailed', isStream), see(false)])
    // Nor does it read because something changed in another tab; one that is seen does.
    const isQueue = (each: { url(): string }) => each.url().includes('/api/core/operations/queue')
    const other = await context.newPage()
    await open(other, `${url}/`)
    const reads: string[] = []
    page.on('request', (request) => reads.push(new URL(request.url()).pathname))
    await Promise.all([
      other.waitForResponse(isQueue),
      page.evaluate("new BroadcastChannel('weir').postMessage('data')"),
    ])
    expect(reads).toEqual([])
    await other.close()
    await Promise.all([page.waitForRequest(isStream), page.waitForRequest(isQueue), see(true)])
  })

  test('a print names the organization, the person and the day, in light colors, complete and with exact times', async () => {
    const { url, memberOf, as, dayBefore: day } = fixture()
    const { page } = await memberOf('owner')
    const cut =
      "[...document.querySelectorAll('[role=region]')].filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.ariaLabel)"
    await page.emulateMedia({ colorScheme: 'dark' })
    for (const path of [
      '/app/allocations',
      `/app/allocations?at=${day}`,
      `/app/reconciliation?at=${day}`,
      '/app/operations?tab=history',
      '/app/audit',
    ]) {
      await page.setViewportSize(DESKTOP)
      await open(page, url + path)
      // A landscape A4 page within its margins.
      await page.setViewportSize({ width: 1032, height: 700 })
      await page.emulateMedia({ media: 'print' })
      const head = await page.locator('.printed').innerText()
      expect(head).toMatch(/^Basalt Payments \(sandbox\), printed \d+ \w+ \d{4}, /)
      expect(head).toContain(as('owner').email)
      expect(head).toContain(path)
      expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('light')
      expect(await page.evaluate(cut), path).toEqual([])
      expect(await page.getByRole('button').count(), path).toBe(0)
      if (path.includes(day)) {
        await page.getByText(/^At the end of .*, UTC$/).waitFor()
        await page
          .locator('td')
          .getByText(/^0x[0-9a-fA-F]{40}$/)
          .first()
          .waitFor()
      } else expect(await page.locator('tbody time').first().innerText()).toMatch(/\d{4}/)
      await page.emulateMedia({ media: 'screen' })
    }
    // An open row is printed in place of its page.
    await page.setViewportSize(DESKTOP)
    await page.locator('tbody tr').first().click()
    await page.getByRole('dialog').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('region', { name: 'Audit log' }).isVisible()).toBe(false)
    expect(await page.locator('.printed').isVisible()).toBe(true)
    expect(await page.getByText('Before it').isVisible()).toBe(true)
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await page.keyboard.press('Escape')
  })

  test('a shortened value is shown in full under the pointer or the keyboard focus, until Escape', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/app/wallets`)
    const address = page.locator('td [data-tip^="0x"]').first()
    const tip = page.getByRole('tooltip')
    const shows = async (come: () => Promise<void>) => {
      // The page gets its tooltip in an idle moment.
      const attempt = async () => {
        await page.mouse.move(0, 0)
        await come()
        return tip.waitFor({ timeout: 1_000 }).then(
          () => true,
          () => false,
        )
      }
      await expect.poll(attempt, { timeout: 20_000 }).toBe(true)
      expect(await tip.innerText()).toBe(await address.getAttribute('data-tip'))
      expect(await barriers(page)).toEqual([])
      await page.keyboard.press('Escape')
      await tip.waitFor({ state: 'detached' })
    }
    await shows(() => address.hover())
    await shows(async () => {
      await address.blur()
      await address.focus()
    })
  })

  test('the keyboard finds any page, and on the service a wallet, an operation, a recipient and a member', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/`)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search everything' }).fill('venues')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Search everything' })
    await field.fill('987654321')
    await page.getByText('Nothing found.').waitFor()
    for (const [typed, found] of [
      ['granite', /^Granite Supplies.*Recipient/],
      ['vera', /^viewer.*vera@/],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('option', { name: found }).waitFor()
    }
    expect(await barriers(page)).toEqual([])
    const operations = await page.request.get(`${url}/api/core/operations/history?limit=1`)
    const { id, txHash } = (await operations.json()).data.items[0]
    for (const typed of [String(id), txHash]) {
      await field.fill(typed)
      await page.getByRole('option', { name: new RegExp(`^Operation ${id}`) }).waitFor()
    }
    const wallets = await page.request.get(`${url}/api/core/wallets/monitored?limit=1`)
    const { id: opWalletId } = (await wallets.json()).data[0]
    for (const [typed, path] of [
      [`operation ${id}`, new RegExp(`^Operation ${id}`)],
      [`wallet ${opWalletId}`, new RegExp(`Operational wallet ${opWalletId}, USDC on Polygon`)],
    ] as const) {
      await field.fill(typed)
      await page.getByRole('option', { name: path }).waitFor()
    }
    await field.fill('operation 987654321')
    await page.getByText('Nothing found.').waitFor()
    await field.fill('payouts')
    await page.getByRole('option', { name: /^Payouts 0x/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Operational wallet' }).waitFor()
  })

  test('the field for a day is built when somebody comes near it, and the keyboard goes on in it', async () => {
    const { url, memberOf, dayBefore } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/`)
    const field = page.getByLabel('As of the end of a day, UTC')
    expect(await field.getAttribute('type')).toBe('text')
    await field.click({ position: { x: 70, y: 18 } })
    const [year, month, day] = dayBefore.split('-')
    await page.keyboard.type(`${month}${day}${year}`)
    await expect.poll(() => new URL(page.url()).searchParams.get('at')).toBe(dayBefore)
  })

  test('the keyboard opens a row, and comes back to it', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/operations?tab=history`)
    const isAtRow = () => page.evaluate<boolean>("document.activeElement === document.querySelector('tbody tr')")
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    for (let tabs = 0; tabs < TABS_MAX && !(await isAtRow()); tabs += 1) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('dialog', { name: /^Operation / })
    await panel.getByRole('button', { name: 'Close' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await expect.poll(isAtRow).toBe(true)
  })

  test('the keyboard opens the menu of the user, the first time too, and comes back to its button', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await open(page, `${url}/`)
    const button = page.getByRole('button', { name: /account of/ })
    const isAt = (selector: string) => page.evaluate<boolean>(`document.activeElement.matches('${selector}')`)
    for (const time of ['first', 'second']) {
      await button.focus()
      await page.keyboard.press('Enter')
      await expect.poll(() => isAt('[role=menuitem]'), { message: time }).toBe(true)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await expect.poll(() => isAt('[aria-label*="account of"]'), { message: time }).toBe(true)
    }
  })
}
