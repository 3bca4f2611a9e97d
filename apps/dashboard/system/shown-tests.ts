import { expect, test } from 'vitest'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import { open } from '../testing/pages.ts'

/** A page says what was done and shows what was asked for, and a click does one thing. */
export function shownTests(fixture: () => DashboardFixture): void {
  test('a deposit that the policy rejects is not said to be done, and a warning of the service is shown', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    const planned = {
      reservationId: 7,
      operationId: 7,
      status: 'EXECUTING',
      strategy: { id: 1, name: 'Aave', protocol: 'aave-v3', estimatedAPY: '4.00' },
      warnings: ['The strategy keeps 0.10% of each deposit as a fee.'],
    }
    const deploy = async (status: string) => {
      await page.route('**/api/v1/allocations', (route) =>
        route.fulfill({ status: 201, json: { success: true, data: { ...planned, status } } }),
      )
      await open(page, `${url}/app/allocations`)
      await page.getByRole('button', { name: 'Deploy' }).click()
      const form = page.getByRole('dialog', { name: 'Deploy now' })
      await form.getByRole('combobox', { name: 'Operational wallet' }).click()
      await page.getByRole('option').first().click()
      await form.getByLabel('Amount').fill('10')
      await form.getByRole('button', { name: 'Deploy', exact: true }).click()
      await form.waitFor({ state: 'detached' })
      const note = page.getByRole('alert').filter({ hasText: 'Operation 7' })
      await note.waitFor()
      return note.textContent()
    }
    expect(await deploy('REJECTED')).toContain('Rejected by the approval policyOperation 7 moves nothing.')
    expect(await deploy('PENDING_APPROVAL')).toContain('Waits for approvalOperation 7 deploys into Aave once')
    expect(await deploy('EXECUTING')).toContain(`DoneOperation 7 deploys into Aave. ${planned.warnings[0]}`)
  })

  test('to copy an address of a row, or to select its text, opens nothing', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/wallets`)
    const row = page.getByRole('row', { name: /^Payouts 0x/ })
    const panel = page.getByRole('dialog', { name: 'Operational wallet' })
    await row.getByRole('button', { name: /^Copy 0x|^Copied$/ }).click()
    const { x, y, width, height } = (await row.locator('.label').first().boundingBox())!
    await page.mouse.move(x + 1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 1, y + height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate('String(getSelection())')).not.toBe('')
    expect(await panel.count()).toBe(0)
    expect(page.url()).toBe(`${url}/app/wallets`)
    await page.evaluate('getSelection().removeAllRanges()')
    await row.locator('td').last().click()
    await panel.waitFor()
    await page.keyboard.press('Escape')
  })

  test('a buffer that is typed has no plan until its own is there', async () => {
    const { url, memberOf } = fixture()
    const { page } = await memberOf('owner')
    await open(page, `${url}/app/wallets`)
    await page.getByRole('row', { name: /^Payouts 0x/ }).click()
    const buffer = page.getByRole('region', { name: 'Buffer' })
    const plan = buffer.getByText('Above the buffer:')
    await plan.waitFor()
    const held = Promise.withResolvers<void>()
    await page.route('**/rebalance-preview', async (route) => {
      await held.promise
      await route.continue()
    })
    const amount = buffer.getByRole('textbox', { name: 'Stays liquid' })
    const stored = await amount.inputValue()
    const asked = page.waitForRequest('**/rebalance-preview')
    await amount.fill('3210.00')
    await asked
    await buffer.getByText('Calculating').waitFor()
    expect(await plan.count()).toBe(0)
    held.resolve()
    await buffer.getByText('With this buffer Weir would').waitFor()
    expect(await buffer.getByText('Calculating').count()).toBe(0)
    await amount.fill(stored)
    await page.keyboard.press('Escape')
  })
}
