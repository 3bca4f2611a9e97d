import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { countClicks } from '../testing/clicks.ts'
import { type DashboardFixture, DESKTOP } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'

/** Dollars in and out, as treasurers move them. */
export function rampTests(fixture: () => DashboardFixture): void {
  test('50,000 dollars come in with 3 clicks, and 10,000 go out with 10 more, of which 8 make their recipient', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await page.setViewportSize(DESKTOP)
    // While nobody knows whether the organization is verified, nothing offers to begin.
    await page.route('**/v1/ramp/org/kyb/status', () => {})
    await page.goto(`${url}/app/ramp?tab=verification`)
    await page.getByLabel('Loading').first().waitFor()
    expect(await page.getByRole('button', { name: 'Begin the verification' }).count()).toBe(0)
    await page.unroute('**/v1/ramp/org/kyb/status')
    await open(page, `${url}/`)
    const clicks = await countClicks(page)
    await page.getByRole('link', { name: 'Ramp' }).click()
    await page
      .getByRole('button', { name: /^Pay in to/ })
      .first()
      .click()
    const payin = page.getByRole('dialog', { name: 'Simulate a payment in' })
    expect(await payin.getByRole('textbox', { name: 'Amount' }).inputValue()).toBe('50000')
    await payin.getByRole('button', { name: 'Pay in', exact: true }).click()
    await page.getByRole('row', { name: /^In #/ }).nth(1).getByText('Completed').waitFor()
    expect(await clicks()).toBe(3)
    const volume = page.getByRole('table', { name: 'Completed payments by day of creation' })
    expect(await volume.getByRole('row').nth(1).textContent()).toMatch(/\d,\d{3}\.\d\d$/)
    // From here on for a new recipient, from one panel.
    await page.getByRole('tab', { name: 'Recipients' }).click()
    await page.getByRole('button', { name: 'Add a recipient' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Slate Supplies')
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const panel = page.getByRole('dialog', { name: 'Recipient', exact: true })
    await panel.getByText('Accounts open once Slate Supplies is verified.').waitFor()
    await panel.getByRole('button', { name: /^Copy POST .*\/kyb\/simulate-approve as curl or SDK$/ }).waitFor()
    await panel.getByRole('button', { name: 'Approve Slate Supplies' }).click()
    await panel.getByRole('button', { name: 'Add a bank account' }).click()
    const form = page.getByRole('dialog', { name: 'Add a bank account' })
    await form.getByRole('combobox', { name: 'Wallet that pays' }).click()
    await page.getByRole('option', { name: /^Payouts/ }).click()
    expect(await form.getByRole('textbox', { name: 'Account holder' }).inputValue()).toBe('Slate Supplies')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    // The page of recipients that one came from is none of payments.
    await page.evaluate("history.replaceState(null, '', location.href + '&offset=25')")
    await panel.getByRole('button', { name: /^Pay out to First Test Bank/ }).click()
    const payout = page.getByRole('dialog', { name: 'Simulate a payout' })
    await payout.getByText('9,975.00 USD').waitFor()
    await payout.getByRole('button', { name: 'Pay out', exact: true }).click()
    const row = page.getByRole('row', { name: /^Out #.*Slate Supplies/ })
    await row.getByText('Completed').waitFor()
    expect(await clicks()).toBe(13)
    expect(await row.textContent()).toContain('10,000.00')
    expect(await row.textContent()).toContain('9,975.00 USD')
    await row.click()
    const payment = page.getByRole('dialog', { name: /^Payment / })
    await payment.getByText('Paid out').waitFor()
    expect(await payment.locator('dl').textContent()).toContain('Paid out9,975.00 USDReceived10,000.00 USDC')
    expect(await barriers(page)).toEqual([])
  })

  test('both decisions of the sandbox about the organization are requests to copy', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await page.route('**/v1/ramp/org/kyb/status', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), kybStatus: 'submitted' } })
    })
    await open(page, `${url}/app/ramp?tab=verification`)
    for (const decision of ['approve', 'reject'])
      await page
        .getByRole('button', { name: `Copy POST /v1/ramp/org/kyb/simulate-${decision} as curl or SDK` })
        .waitFor()
    expect(await barriers(page)).toEqual([])
  })
}
