import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, onTestFinished, test } from 'vitest'
import { openBreak } from '../../server/testing/ledger/open-break.ts'
import { startWebhookReceiver } from '../../server/testing/webhooks/webhook-receiver.ts'
import { toBaseUnits } from '../src/lib/money/money.ts'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { until } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { open, settled, visit } from '../testing/pages.ts'

/** Webhooks, wallets, breaks and the audit log. */
export function buildFlows(fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('a webhook is added, edited, tested, replayed, given another secret, and deleted', async () => {
    const { page, asOwner } = flow()
    const receiver = await startWebhookReceiver()
    const hooks = () => asOwner('GET', '/api/core/webhooks')
    const secret = async () => {
      const dialog = page.getByRole('dialog', { name: "The webhook's secret" })
      const text = (await dialog.locator('pre').textContent()) ?? ''
      await dialog.getByRole('button', { name: 'I have stored it' }).click()
      await dialog.waitFor({ state: 'detached' })
      return text
    }
    // A first attempt may have left its own.
    for (const { id } of await hooks()) await asOwner('DELETE', `/api/core/webhooks/${id}`)
    try {
      // By links, so that Back has somewhere to lead.
      await open(page, `${fixture().url}/app/wallets`)
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Activity' }).click()
      await page.getByRole('tab', { name: 'Webhooks' }).click()
      await page.getByRole('button', { name: 'Add a webhook' }).first().click()
      const form = page.getByRole('dialog', { name: 'Add a webhook' })
      await form.getByLabel('Address').fill(receiver.url)
      await form.getByRole('button', { name: 'Add', exact: true }).click()
      const first = await secret()
      expect(first).toMatch(/^whsec_/)
      const [hook] = await hooks()
      expect(hook).toMatchObject({ url: `${receiver.url}/`, events: ['*'] })

      await page.getByRole('row', { name: new RegExp(receiver.url) }).click()
      const panel = page.getByRole('dialog', { name: 'Webhook', exact: true })
      await panel.getByRole('button', { name: 'Edit' }).click()
      const edit = page.getByRole('dialog', { name: 'Edit the webhook' })
      await edit.getByRole('checkbox', { name: /^Every event/ }).uncheck()
      await edit.getByRole('combobox', { name: 'Events' }).fill('operation.completed')
      await page.getByRole('option', { name: 'operation.completed' }).click()
      await page.keyboard.press('Escape')
      await edit.getByRole('button', { name: 'Save' }).click()
      await edit.waitFor({ state: 'detached' })
      expect(await hooks()).toMatchObject([{ events: ['operation.completed'] }])

      await panel.getByRole('button', { name: 'Send a test event' }).click()
      const delivery = panel.getByRole('row', { name: /^webhook\.test Delivered 200/ })
      await delivery.waitFor()
      expect(receiver.received).toHaveLength(1)
      await delivery.getByRole('button', { name: /^Replay/ }).click()
      await expect.poll(() => receiver.received.length).toBe(2)
      expect(receiver.received[1]!.body).toBe(receiver.received[0]!.body)

      await panel.getByRole('button', { name: 'Rotate the secret' }).click()
      const rotation = page.getByRole('dialog', { name: 'Rotate the secret?' })
      await rotation.getByRole('button', { name: 'Rotate', exact: true }).click()
      // Nothing but its button takes a secret away that is shown once.
      const shown = page.getByRole('dialog', { name: "The webhook's secret" })
      await shown.waitFor()
      await page.keyboard.press('Escape')
      await page.keyboard.press('/')
      await page.goBack()
      await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
      expect(await page.getByRole('dialog', { name: 'Search' }).count()).toBe(0)
      const second = await secret()
      expect(second).toMatch(/^whsec_/)
      expect(second).not.toBe(first)

      await panel.getByRole('button', { name: 'Delete' }).click()
      const removal = page.getByRole('dialog', { name: 'Delete the webhook?' })
      await removal.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No webhook yet').waitFor()
      expect(await hooks()).toEqual([])
    } finally {
      await receiver.close()
    }
  })

  test('a new address becomes an operational wallet with its buffer', async () => {
    const { page, asOwner } = flow()
    const { address } = privateKeyToAccount(generatePrivateKey())
    await visit(page, '/app/wallets')
    await page.getByRole('button', { name: 'Add a wallet' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add a wallet' })
    await form.getByRole('combobox', { name: 'Address' }).click()
    await page.getByRole('option', { name: 'A new address' }).click()
    await form.getByLabel('Address of the wallet').fill(address)
    await form.getByLabel('Label').fill('Reserve')
    for (const [name, shown] of [
      ['Register as curl: POST /api/core/org-wallets', `"address":"${address}"`],
      ['Then, as curl: POST /api/core/wallets/add-and-monitor', '"orgWalletId":"the id in the first response"'],
    ] as const) {
      await form.getByRole('button', { name }).click()
      await page.getByText(shown).waitFor()
      await form.getByRole('button', { name }).click()
    }
    await form.getByRole('textbox', { name: 'Buffer' }).fill('250.50')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /^Reserve 0x/ }).waitFor()
    const wallets = await asOwner('GET', '/api/core/wallets/monitored')
    expect(wallets.find((wallet: { address: string }) => wallet.address === address)).toMatchObject({
      bufferAmount: '250.50',
      token: 'USDC',
      enableYield: true,
    })
  })

  test('a break is accepted with a reason', async () => {
    const { page, asOwner, treasury } = flow()
    await openBreak(fixture().system.dataDir, treasury.walletId)
    await visit(page, '/app/reconciliation')
    await page.getByRole('button', { name: /^Accept the break of/ }).click()
    const agrees = page.getByText('Ledger and chain agree')
    expect(await agrees.count()).toBe(0)
    const form = page.getByRole('dialog', { name: 'Accept this difference?' })
    await form.getByLabel('Reason').fill('A fee of the custodian, booked by hand.')
    await form.getByRole('button', { name: 'Accept', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    expect((await asOwner('GET', '/api/core/breaks')).breaks).toMatchObject([
      { status: 'accepted', acceptedReason: 'A fee of the custodian, booked by hand.' },
    ])
    await page.getByText('1 accepted difference remains').waitFor()
    expect(await agrees.count()).toBe(0)
    // What the chain has stands beside what the ledger has.
    const table = page.getByRole('table', { name: 'Wallet by wallet' })
    const headings = await table.getByRole('columnheader').allInnerTexts()
    const cells = table.getByRole('row', { name: /^Treasury / }).locator('td')
    const units = async (name: string) => toBaseUnits(await cells.nth(headings.indexOf(name)).innerText(), 6)!
    const ledger = await units('In the wallet')
    await expect.poll(() => units('On chain')).toBe(ledger - 5_000_000n)

    // A wallet that cannot be settled is not compared.
    const health = '**/api/core/organization/health'
    onTestFinished(() => page.unroute(health))
    await page.route(health, async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      await route.fulfill({ response, json: { ...answer, data: { ...answer.data, quarantined: [{}] } } })
    })
    await open(page, page.url())
    await page.getByText('1 accepted difference remains, 1 wallet is not compared at the moment').waitFor()
    await page.getByRole('link', { name: 'Quarantined wallets' }).waitFor()
    expect([...(await barriers(page)), ...(await barriersInDark(page))]).toEqual([])
  })

  test('the audit log is filtered by person and action, proved in the browser, and an altered entry is found', async () => {
    const { page, asOwner, emails } = flow()
    const log = (query = '') => asOwner('GET', `/api/core/audit-log?limit=1${query}`)
    await visit(page, '/app/audit')
    await page.getByText(/^Entries \d+ to \d+ hold together$/).waitFor()
    await page.getByRole('button', { name: 'Check the whole log' }).click()
    await page.getByText('The whole log holds together').waitFor()
    const { total } = (await log()).pagination
    await page.getByText(`Entries 1 to ${total}: computed in this browser`).waitFor()

    await page.getByRole('combobox', { name: 'Who' }).fill(emails.admin)
    await page.getByRole('option', { name: emails.admin }).click()
    await settled(page)
    const admins = await log(
      `&actor=user:${(await asOwner('GET', '/api/core/members')).find((each: { email: string }) => each.email === emails.admin).id}`,
    )
    await page.getByText(`1–${admins.pagination.total} of ${admins.pagination.total}`).waitFor()
    await page.getByText(/entries are as they were written$/).waitFor()
    await page.getByRole('textbox', { name: 'Action' }).fill('approveChangeRequest')
    await page.keyboard.press('Enter')
    await page.getByText(/^1–\d of \d$/).waitFor()
    await expect
      .poll(() => page.locator('tbody tr').count())
      .toBe((await log('&action=approveChangeRequest')).pagination.total)

    // The page detects a service that shows something other than what was hashed.
    onTestFinished(() => page.unroute('**/api/core/audit-log?**'))
    await page.route('**/api/core/audit-log?**', async (route) => {
      const response = await route.fetch()
      const body = await response.text()
      await route.fulfill({ response, body: body.replace('"action":"monitorWallet"', '"action":"removeWallet"') })
    })
    await open(page, `${fixture().url}/app/audit`)
    await page.getByText(/^Somebody changed entry \d+$/).waitFor()
    await page.unroute('**/api/core/audit-log?**')
    await until(asOwner, '/api/core/audit-log?limit=1', ({ pagination }) => pagination.total >= total)
  })
}
