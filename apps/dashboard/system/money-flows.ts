import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { callsText } from '../src/lib/transactions/planned-calls.ts'
import { barriers } from '../testing/barriers.ts'
import { changeMeanwhile } from '../testing/change-meanwhile.ts'
import { type ClientWallet, clientWallet, strategiesOf, until } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { open, visit } from '../testing/pages.ts'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

/** Operations, buffers and the policy that decides about them. */
export function moneyFlows(fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('an operation is rejected after its calls and their hash were read, with a reason and the hash of a file', async () => {
    const { page, asOwner } = flow()
    const { intents } = await asOwner('GET', '/api/core/operations/queue')
    const operation = await asOwner('GET', `/api/core/operations/${intents[0].id}`)
    const { organization, environment } = await asOwner('GET', '/api/core/auth/me').then((me) => ({
      environment: 'sandbox',
      organization: me.organization,
    }))
    const expected = sha256(callsText({ environment, organizationId: organization.id, operation }))
    await visit(page, '/app/operations')
    await page.getByRole('button', { name: `Review operation ${operation.id}` }).click()
    const panel = page.getByRole('dialog', { name: `Operation ${operation.id}` })
    const signed = panel.getByRole('region', { name: 'What would be signed' })
    await signed.getByText('approve(address spender, uint256 amount)').waitFor()
    expect(await signed.getByText(/^.+ of .+, step 2$/).count()).toBe(2)
    await signed.getByRole('img', { name: expected }).waitFor()
    // While the hash of a large file is computed, people type on and cannot decide without it.
    const goOn = await holdHashes(page)
    const buffer = Buffer.from('an invoice')
    await panel.locator('input[type=file]').setInputFiles({ name: 'invoice.pdf', mimeType: 'application/pdf', buffer })
    await panel.getByLabel('Reason').fill('The invoice is of another customer.')
    const reject = panel.getByRole('button', { name: `Reject operation ${operation.id}` })
    expect(await reject.isDisabled()).toBe(true)
    await goOn()
    const rejection = `Copy POST /api/core/operations/${operation.id}/reject as curl or SDK`
    await panel.getByRole('button', { name: rejection }).click()
    await page.getByText('"reason":"The invoice is of another customer."').waitFor()
    await panel.getByRole('button', { name: rejection }).click()
    await reject.click()
    const sure = page.getByRole('dialog', { name: `Reject operation ${operation.id}?` })
    await sure.getByRole('button', { name: 'Reject', exact: true }).click()
    await panel.locator('.decisions').getByText('The invoice is of another customer.').waitFor()
    expect(await asOwner('GET', `/api/core/operations/${operation.id}`)).toMatchObject({
      status: 'REJECTED',
      decisions: [{ decision: 'reject', reason: 'The invoice is of another customer.', fileSha256: sha256(buffer) }],
    })
    const compare = (name: string, content: Buffer) =>
      panel.locator('.decisions input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: content })
    await compare('other.pdf', Buffer.from('another one'))
    await panel.getByText('other.pdf is a different file.').waitFor()
    await compare('same.pdf', buffer)
    await panel.getByText('same.pdf is the same file.').waitFor()
  })

  test('Deploy plans a deposit of the chosen wallet, and the approval is over the calls that were shown', async () => {
    const { page, asOwner, asAdmin, treasury } = flow()
    await visit(page, '/app/allocations')
    await page.getByRole('button', { name: 'Deploy' }).click()
    const form = page.getByRole('dialog', { name: 'Deploy now' })
    await form.getByRole('combobox', { name: 'Operational wallet' }).fill(treasury.address.slice(0, 10))
    const options = page.getByRole('option')
    await expect.poll(() => options.count()).toBe(1)
    await options.click()
    await form.getByLabel('Amount').fill('1000')
    await form.getByRole('button', { name: 'Deploy', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const { intents } = await asOwner('GET', '/api/core/operations/queue')
    expect(intents[0]).toMatchObject({
      type: 'SUPPLY',
      amount: '1000.00',
      status: 'PENDING_APPROVAL',
      origin: 'explicit',
    })
    const path = `/api/core/operations/${intents[0].id}`
    await expect(asAdmin('POST', `${path}/approve`, { callsHash: 'ab'.repeat(32) })).rejects.toThrow('calls_differ')
    expect((await asOwner('GET', path)).status).toBe('PENDING_APPROVAL')
  })

  test('a buffer is saved; one that somebody else saved meanwhile is not overwritten before one decided', async () => {
    const { page, asAdmin, treasury } = flow()
    const settings = `/api/core/wallets/monitored/${treasury.opWalletId}/buffer-settings`
    const stored = async () => (await asAdmin('GET', '/api/core/wallets/monitored'))[0].bufferAmount
    // A first attempt may have saved what this one enters.
    await asAdmin('PUT', settings, { bufferAmount: '50000.00' })
    await open(page, `${fixture().url}/app/wallets?open=${treasury.opWalletId}`)
    const buffer = page.getByRole('region', { name: 'Buffer' })
    const amount = buffer.getByRole('textbox', { name: 'Stays liquid' })
    const save = buffer.getByRole('button', { name: 'Save' })
    await amount.fill('60000.00')
    await save.click()
    await page.getByText('Buffer saved.').waitFor()
    expect(await stored()).toBe('60000.00')
    await expect.poll(() => save.isDisabled()).toBe(true)
    await expect.poll(() => buffer.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)
    // However one writes it, one's own save is no change by somebody else, even if one goes on typing.
    const meanwhile = buffer.getByText('Somebody changed the buffer while you were editing')
    await amount.fill('20,000')
    await save.click()
    await expect.poll(stored).toBe('20000.00')
    await expect.poll(() => amount.inputValue()).toBe('20000.00')
    expect(await meanwhile.count()).toBe(0)
    await amount.fill('20000')
    expect(await save.isDisabled()).toBe(true)
    await page.route(`**${settings}`, async (route) => {
      const response = await route.fetch()
      await amount.fill('31000')
      await route.fulfill({ response })
    })
    await amount.fill('30000')
    await save.click()
    await expect.poll(stored).toBe('30000.00')
    await expect.poll(() => save.isEnabled()).toBe(true)
    expect([await amount.inputValue(), await meanwhile.count()]).toEqual(['31000', 0])
    await page.unroute(`**${settings}`)
    await save.click()
    await expect.poll(stored).toBe('31000.00')
    // The page learns of the other buffer by its own save.
    await changeMeanwhile(page, settings, () => asAdmin('PUT', settings, { bufferAmount: '65000.00' }))
    await amount.fill('70000.00')
    await save.click()
    await meanwhile.waitFor()
    expect(await stored()).toBe('65000.00')
    expect(await amount.inputValue()).toBe('70000.00')
    await buffer.getByRole('button', { name: 'Keep what I entered' }).click()
    await save.click()
    await expect.poll(stored).toBe('70000.00')
  })

  test('a draft of a policy is tried, compared and published; one that somebody published meanwhile is shown', async () => {
    const { page, asOwner, asAdmin, treasury } = flow()
    const policy = '/api/core/approval-policy'
    await visit(page, '/app/policy')
    await page.getByText('By rules').click()
    await page.getByRole('button', { name: 'Add a rule' }).click()
    const rule = page.getByRole('region', { name: 'Rule 1' })
    await rule.getByLabel('Name of rule 1').fill('deposits of the treasury')
    await rule.getByRole('textbox', { name: 'From this amount' }).fill('500')
    const add = async (name: string) => {
      await rule.getByRole('combobox', { name: 'Add a condition to rule 1' }).click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await add('Wallets')
    await rule.getByText('Choose at least one').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true)
    await rule.getByRole('combobox', { name: 'Wallets' }).click()
    await page.getByRole('option', { name: /^Treasury/ }).click()
    await page.keyboard.press('Escape')
    await add('Type of operation')
    await rule.getByRole('checkbox', { name: 'Deposits' }).check()
    await rule.getByRole('checkbox', { name: 'Withdrawals' }).uncheck()
    await add('Custody providers')
    await rule.getByRole('combobox', { name: 'Custody providers' }).fill('self')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Try it on past operations' }).click()
    await page.getByText(/^(\d+) operations of the last 30 days: 0 would proceed, \1 would need approval/).waitFor()
    await page.getByText('The policy in force decides all of them alike.').waitFor()
    await rule.getByRole('combobox', { name: 'What rule 1 decides' }).click()
    await page.getByRole('option', { name: 'let it proceed' }).click()
    await page.getByRole('button', { name: 'Try it on past operations' }).click()
    await page
      .getByText(/^(\d+) operations .*: \1 would proceed, .*The policy in force decides \1 of them differently/)
      .waitFor()
    await page.getByText('Mode: Always ask → By rules').waitFor()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Policy published.').waitFor()
    await page.getByRole('heading', { name: 'Version 2', exact: true }).waitFor()
    const when = { amountAtLeast: '500', walletIds: [treasury.walletId], types: ['SUPPLY'], custodyProviders: ['self'] }
    expect(await asOwner('GET', policy)).toMatchObject({ version: 2, rules: [{ when, then: 'approve' }] })

    // Two people at once: the second learns of the first, and nothing is lost before somebody decides.
    await page.getByRole('textbox', { name: 'Approvals required' }).fill('2')
    const { version, readable, updatedAt, updatedBy, ...theirs } = await asOwner('GET', policy)
    await changeMeanwhile(page, policy, () => asAdmin('PUT', policy, { ...theirs, requesterMayApprove: true }))
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByText('Version 3 came into force while you were editing').waitFor()
    await page.getByText('Requesters may approve their own operations: no → yes').waitFor()
    expect(await asOwner('GET', policy)).toMatchObject({ version: 3, requiredApprovals: 1 })
    await page.getByRole('button', { name: 'Keep my draft, on version 3' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await expect.poll(async () => (await asOwner('GET', policy)).version).toBe(4)
    expect(await asOwner('GET', policy)).toMatchObject({ requiredApprovals: 2, requesterMayApprove: false })
  })

  test('a client’s bytes are decoded, asked for again and cancelled; one sent elsewhere is recovered by its hash', async () => {
    const { page, keyed } = flow()
    const wallet = await clientWallet(keyed, '5000000000')
    const aave = (await strategiesOf(keyed)).find(({ name }) => name.startsWith('Aave'))!
    const body = { walletId: wallet.walletId, ...aave, amount: '1000000000' }
    const planned = await keyed('POST', '/v1/operations/supply', body)
    await visit(page, `/app/operations?open=${planned.operationId}`)
    const panel = page.getByRole('dialog', { name: `Operation ${planned.operationId}` })
    for (const { unsignedTransaction } of planned.transactions)
      await panel
        .getByRole('img', { name: keccak256(unsignedTransaction) })
        .first()
        .waitFor()
    await panel.getByText('supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)').waitFor()
    const bytes = `Copy GET /v1/operations/${planned.operationId}/unsigned-transactions as curl or SDK`
    await panel.getByRole('button', { name: bytes }).waitFor()
    await panel.getByRole('button', { name: 'Get new bytes' }).click()
    const renewed = panel.getByRole('region', { name: /^New bytes: / }).first()
    await renewed.getByText('Hash to sign, computed here').waitFor()
    await renewed.getByText('approve(address spender, uint256 amount)').waitFor()
    await renewed.getByRole('button', { name: 'Copy the bytes' }).waitFor()
    await page.route('**/unsigned-transactions', (route) =>
      route.fulfill({ status: 409, json: { code: 'CONFLICT', message: 'Not now.' } }),
    )
    await panel.getByRole('button', { name: 'Get new bytes' }).click()
    await panel.getByRole('alert').getByText('Not now.').waitFor()
    expect(await renewed.count()).toBe(0)
    await page.unroute('**/unsigned-transactions')
    await panel.getByRole('button', { name: 'Cancel the operation' }).click()
    const sure = page.getByRole('dialog', { name: `Cancel operation ${planned.operationId}?` })
    await sure.getByRole('button', { name: 'Cancel the operation' }).click()
    await page.getByText('Operation cancelled.').waitFor()
    await panel.getByText('It was cancelled').waitFor()
    const { strategyId, tokenAddress } = aave
    const same = { walletId: wallet.walletId, strategyId, amount: body.amount, tokenAddress }
    const replan = panel.getByRole('button', { name: 'Plan again as curl: POST /v1/operations/supply' })
    await replan.click()
    await page.getByText(JSON.stringify(same)).waitFor()
    await panel.getByText('Ended, and its reservation was released').waitFor()
    expect(await keyed('GET', `/v1/operations/${planned.operationId}`)).toMatchObject({ status: 'FAILED' })

    const again = await keyed('POST', '/v1/operations/supply', body)
    const [approval] = again.transactions
    const hash = await sendElsewhere(fixture().url, await wallet.sign(approval.unsignedTransaction))
    await visit(page, `/app/operations?open=${again.operationId}`)
    await page.getByLabel('Hash of a transaction that you sent yourself').fill(hash)
    const recover = `Copy POST /v1/transactions/${again.operationId}/recover as curl or SDK`
    await page.getByRole('button', { name: recover }).click()
    await page.getByLabel('Language').getByText('SDK').click()
    await page.getByText(`txHash: "${hash}"`).waitFor()
    await page.getByRole('button', { name: recover }).click()
    await page.getByRole('button', { name: 'Recover', exact: true }).click()
    await page.getByText('The service looks for this transaction on the chain.').waitFor()
    await until(
      keyed,
      `/v1/operations/${again.operationId}`,
      ({ transactions }) => transactions[0].status === 'confirmed' && transactions[0].txHash === hash,
    )
    await keyed('POST', `/v1/operations/${again.operationId}/cancel`)
  })

  test('the row under the pointer stays while an operation comes in; once the pointer leaves, the new row is there', async () => {
    const { page, keyed } = flow()
    const [one, other] = await Promise.all([clientWallet(keyed, '5000000000'), clientWallet(keyed, '5000000000')])
    const aave = (await strategiesOf(keyed)).find(({ name }) => name.startsWith('Aave'))!
    const plan = ({ walletId }: ClientWallet) =>
      keyed('POST', '/v1/operations/supply', { walletId, ...aave, amount: '1000000000' })
    const earlier = await plan(one)
    await visit(page, '/app/operations')
    const rows = page.getByRole('table', { name: 'Unfinished operations' }).locator('tbody tr')
    const under = rows.filter({ hasText: `#${earlier.operationId}` })
    await under.hover()
    const { y } = (await under.boundingBox())!
    const later = await plan(other)
    // The switch of live updates counts what waits.
    await page
      .getByRole('banner')
      .getByText(/^[1-9]\d*$/)
      .waitFor()
    const row = rows.filter({ hasText: `#${later.operationId}` })
    expect([await row.count(), (await under.boundingBox())!.y]).toEqual([0, y])
    await page.mouse.move(0, 0)
    await row.waitFor()
    for (const { operationId } of [earlier, later]) await keyed('POST', `/v1/operations/${operationId}/cancel`)
  })

  test('the row of an operation offers what its panel offers, to the keyboard too', async () => {
    const { page, keyed } = flow()
    const { walletId } = await clientWallet(keyed, '5000000000')
    const aave = (await strategiesOf(keyed)).find(({ name }) => name.startsWith('Aave'))!
    const body = { walletId, ...aave, amount: '1000000000' }
    const { operationId } = await keyed('POST', '/v1/operations/supply', body)
    const panel = page.getByRole('dialog', { name: `Operation ${operationId}`, exact: true })
    const menu = page.getByRole('button', { name: `Actions of operation ${operationId}` })
    const focused = page.locator(':focus')
    const choose = async (name: string) => {
      await menu.press('Enter')
      const item = page.getByRole('menuitem', { name })
      await item.waitFor()
      expect(await barriers(page)).toEqual([])
      await item.press('Enter')
    }
    await visit(page, '/app/operations')
    for (const [name, control] of [
      ['Recover by its hash', panel.getByLabel('Hash of a transaction that you sent yourself')],
      ['Get new bytes', panel.getByRole('button', { name: 'Get new bytes', exact: true })],
    ] as const) {
      await choose(name)
      await control.and(focused).waitFor()
      await page.keyboard.press('Escape')
      await panel.waitFor({ state: 'detached' })
      await menu.and(focused).waitFor()
    }
    await choose('Cancel the operation')
    const sure = page.getByRole('dialog', { name: `Cancel operation ${operationId}?` })
    await sure.getByRole('button', { name: 'Cancel the operation' }).click()
    await page.getByText('Operation cancelled.').waitFor()
    await menu.waitFor({ state: 'detached' })
    await visit(page, '/app/operations?tab=history')
    await choose('Plan again as curl')
    await panel.getByRole('button', { name: 'Plan again as curl: POST /v1/operations/supply' }).waitFor()
  })
}

/** Lets no hash become known in the page before the returned function is called. */
async function holdHashes(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { subtle } = crypto
    const digest = subtle.digest.bind(subtle)
    const held = new Promise<void>((resolve) => Object.assign(globalThis, { goOn: resolve }))
    subtle.digest = async (...content) => {
      await held
      return digest(...content)
    }
  })
  return () => page.evaluate(() => (globalThis as unknown as { goOn: () => void }).goOn())
}

/** Sends signed bytes as a wallet does, without the service. */
async function sendElsewhere(url: string, signed: string): Promise<string> {
  const body = { jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [signed] }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/sandbox/rpc/polygon`, { method: 'POST', headers, body: JSON.stringify(body) })
  return ((await response.json()) as { result: string }).result
}
