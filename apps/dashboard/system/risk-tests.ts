import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { type DashboardFixture, DESKTOP, STALE } from '../testing/dashboard-fixture.ts'
import { openWallet } from '../testing/open-wallet.ts'
import { fillDay, open, settled } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

/** Keeps every text that a page draws on a canvas. */
const NOTE_TEXTS = `
  globalThis.drawn = []
  const { prototype } = CanvasRenderingContext2D
  const { fillText } = prototype
  prototype.fillText = function (text, ...place) {
    drawn.push(text)
    return fillText.call(this, text, ...place)
  }
`

/** Where money waits, and what stops it. They run after the tests that give the owner a passkey. */
export function riskTests(fixture: () => DashboardFixture): void {
  test('the venues of an earlier day show what each strategy had paid by then, and the size of its pool', async () => {
    const { url, memberOf, dayBefore: day } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/venues?chain=polygon`)
    await fillDay(page, day)
    const strategies = page.getByRole('table', { name: `Strategies at the end of ${day}` })
    const row = strategies.getByRole('row', { name: /Aave V3 USDC/ })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/[\d,]+\.\d+ USDC/)
    expect(await strategies.getByText('Solana').count()).toBe(0)
    await page.getByText(/^At the end of .*, UTC$/).waitFor()
    await settled(page)
    expect(await barriers(page)).toEqual([])
    await page.getByRole('tab', { name: 'Deposit limits' }).click()
    expect(new URL(page.url()).searchParams.get('at')).toBeNull()
    await page.getByRole('tab', { name: 'Strategies' }).click()
    await page.getByRole('table', { name: 'Strategies', exact: true }).waitFor()
    await open(page, `${url}/app/venues?at=2020-01-01`)
    await page.getByText('Nothing was read then').waitFor()
  })

  test('money that waits in an exit is counted, and its page says when it comes and who claims it', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    const wallet = await openWallet(page, url, 'Reserve')
    expect(await wallet.locator('dl').first().textContent()).toContain('Exiting15,000.00 USDC')
    await settled(page)
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
    const claim = { name: 'Claim as curl: POST /v1/operations/claim' }
    expect(await exit.getByRole('button', claim).count(), 'a viewer may not').toBe(0)
    await open(page, `${url}/app/allocations?exits=claimed`)
    await page.getByText('No exit is claimed').waitFor()

    // A position that is being withdrawn is neither gone nor hidden.
    const { page: owner } = await memberOf('owner')
    await owner.setViewportSize(DESKTOP)
    await open(owner, `${url}/app/allocations`)
    await owner.getByRole('row', { name: /Queued USDC.*Claimable/ }).click()
    await owner.getByRole('button', claim).waitFor()
    await owner.keyboard.press('Escape')
    await owner.getByRole('row', { name: /^Cooldown USDC ?Cooldown Vaults .*Active/ }).click()
    await owner.getByText('This strategy pays later').waitFor()
    await owner.getByRole('textbox', { name: 'Amount' }).fill('100')
    await owner.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await owner.getByText(/^Operation \d+ withdraws/).waitFor()
    await open(page, `${url}/app/allocations`)
    await page.getByRole('link', { name: '1 being withdrawn' }).click()
    await page.getByRole('row', { name: /^Cooldown USDC ?Cooldown Vaults .*Unwinding/ }).waitFor()
    await open(page, `${url}/app/wallets`)
    await page.getByRole('row', { name: /^Reserve 0x/ }).click()
    await wallet.getByRole('row', { name: /^Cooldown USDC ?Cooldown Vaults Unwinding/ }).waitFor()

    // The parts of the wallet make its total only together with what waits.
    await open(page, `${url}/app/reconciliation`)
    expect(await page.getByRole('row', { name: /^Reserve 0x/ }).textContent()).toMatch(/15,000\.00.*Yes$/)
  })

  test('a preview of a higher buffer says what each position can pay, and what follows later', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/wallets`)
    await page.getByRole('row', { name: /^Reserve 0x/ }).click()
    const buffer = page.getByRole('dialog', { name: 'Operational wallet' }).getByRole('region', { name: 'Buffer' })
    await buffer.getByRole('textbox', { name: 'Stays liquid' }).fill('900000')
    const paying = buffer.getByRole('table', { name: 'What positions can pay' })
    await paying.getByRole('row', { name: /Cooldown USDC 2\d,\d{3}\.\d+ 0\.00 can pay nothing now/ }).waitFor()
    expect(await barriers(page)).toEqual([])
  })

  test('a strategy says what its contracts accept and pay, and what is not known', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('viewer')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/venues`)
    await page.getByRole('row', { name: /^Capped.*2\.00 to 100,000\.00/ }).waitFor()
    const strategy = page.getByRole('dialog', { name: 'Strategy' })
    const facts = async (name: RegExp) => {
      await page.getByRole('row', { name }).click()
      const text = await strategy.locator('dl').first().textContent()
      await page.keyboard.press('Escape')
      await strategy.waitFor({ state: 'detached' })
      return text
    }
    const aave = await facts(/^Aave V3 USDT.*Polygon/)
    expect(aave, 'rewards that nobody tells').not.toContain('Rewards')
    expect(aave).toMatch(/Lent out\d+\.\d+%Depositsaccepted.*Withdrawalspaid/)
    expect(await facts(/^Comet USDC/)).toMatch(
      /Rewards of the last day\d+\.\d\d%, not included in APY; Weir does not claim it/,
    )
    expect(await facts(/^V2 USDC/)).toMatch(
      /Can be withdrawn nownot knownLent outnot knownDepositsaccepted.*Withdrawalsknown by position only/,
    )
  })

  test('in a browser west of UTC, a chart labels its days as those of UTC, and so do its table and its name', async () => {
    const { browser, url, as } = fixture()
    const { context, page, problems } = await member(browser, url, as('viewer'), { timezoneId: 'America/Los_Angeles' })
    await page.addInitScript(NOTE_TEXTS)
    const drawn = () => page.evaluate<string[]>('drawn')
    await open(page, `${url}/app/venues`)
    const isRisk = (response: { url(): string }) => /\/strategy-risks\/\d+\?days=30$/.test(response.url())
    const read = page.waitForResponse(isRisk)
    await page.getByRole('row', { name: /^Aave V3 USDC.*Polygon/ }).click()
    const { history } = (await (await read).json()).data
    const days = history.flatMap(({ day, tvl }: { day: string; tvl: string | null }) => (tvl === null ? [] : [day]))
    const [first, last] = [days[0], days.at(-1)]
    const figure = page.getByRole('dialog', { name: 'Strategy' }).locator('figure', { hasText: 'TVL' })
    await figure.getByRole('img', { name: new RegExp(` on ${first} to .* on ${last}$`) }).waitFor()
    const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
    await expect.poll(drawn).toContain(format.format(Date.parse(first)))
    expect(await drawn()).toContain(first.slice(0, 4))
    await figure.getByRole('button', { name: 'As a table' }).click()
    const rows = figure.getByRole('row')
    expect(await rows.nth(0).textContent()).toMatch(/^Day \(UTC\)/)
    expect((await rows.nth(1).textContent())?.startsWith(last)).toBe(true)
    expect(problems).toEqual([])
    await context.close()
  })

  test('a circuit breaker says what tripped it; an admin lifts it, and sets thresholds after a step-up', async () => {
    const { url, memberOf } = fixture()
    const { page: looks } = await memberOf('viewer')
    await open(looks, `${url}/`)
    await looks.getByText('1 circuit breaker stops deposits').waitFor()
    await looks.getByRole('link', { name: 'Queued USDC' }).click()
    await looks.getByText('The share price was 3.00% below its highest in 30 days.').waitFor()
    await looks.getByText('more than 1.00% below its highest in 30 days').waitFor()
    expect(await looks.getByRole('button', { name: /^Accept|Save/ }).count()).toBe(0)

    const { page } = await memberOf('owner')
    await page.setViewportSize(DESKTOP)
    await open(page, `${url}/app/venues?tab=breakers`)
    await page.getByRole('switch', { name: 'Depeg' }).click()
    const threshold = page.getByRole('textbox', { name: 'Threshold: Depeg' })
    await threshold.fill('2,5')
    await page.getByText('Enter a percentage such as 2.50').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    expect(await barriers(page)).toEqual([])
    await threshold.fill('2.5')
    await page.route('**/circuit-breakers', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Circuit breakers saved.').waitFor()
    expect(await threshold.inputValue()).toBe('2.50')

    await page.getByRole('button', { name: 'Accept price fall of Queued USDC' }).click()
    const dialog = page.getByRole('dialog', { name: 'Deposit into Queued USDC again?' })
    expect(await barriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
    await page.getByRole('row', { name: /Queued USDC.*Accepted/ }).waitFor()

    await page.getByRole('link', { name: 'Queued USDC' }).click()
    const strategy = page.getByRole('dialog', { name: 'Strategy' })
    await strategy.getByRole('button', { name: '90 days' }).click()
    for (const chart of ['Share price, indexed to 1', 'TVL']) {
      await strategy.locator('figure', { hasText: chart }).getByRole('button', { name: 'As a table' }).click()
      await strategy.getByRole('table', { name: chart }).getByRole('row').nth(2).waitFor()
    }
    await strategy.getByText('Withdrawals are requested').waitFor()
    expect(await barriers(page)).toEqual([])
  })
}
