import { expect, onTestFinished, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { requestsTo } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { open, visit } from '../testing/pages.ts'

const POLICY = '/api/core/change-policy'
const REQUESTS = '/api/core/change-requests'
const ACCOUNTS = '/v1/ramp/org/offramp-accounts'

/** Changes that others approve, from the form to what takes effect. */
export function changeFlows(fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('a bank account that needs a second person is requested, approved, and added once its number is entered again', async () => {
    const { page, asOwner, asAdmin, keyed } = flow()
    await keyed('POST', '/v1/ramp/org/kyb/start')
    await keyed('POST', '/v1/ramp/org/kyb/simulate-approve')
    await asOwner('PUT', POLICY, { rules: { payout_accounts: { requiredApprovals: 1, coolingOffSeconds: 0 } } })
    onTestFinished(() => lift(flow()))
    await open(page, `${fixture().url}/app/ramp?tab=accounts&form=out`)
    const form = page.getByRole('dialog', { name: 'Add a bank account' })
    const wallet = form.getByRole('combobox', { name: 'Wallet that pays' })
    // An organization with one wallet has chosen it already.
    await wallet.waitFor()
    if ((await wallet.inputValue()) === '') {
      await wallet.click()
      await page.getByRole('option').first().click()
    }
    await form.getByRole('textbox', { name: 'Account number' }).fill('000123456789')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Waits for approval').waitFor()
    // A second click would request it twice.
    await form.waitFor({ state: 'detached' })
    expect(await keyed('GET', ACCOUNTS)).toEqual([])
    const [requested] = (await asOwner('GET', REQUESTS)).changeRequests
    expect(requested).toMatchObject({ status: 'requested', kind: 'payout_accounts' })
    await asAdmin('POST', `${REQUESTS}/${requested.id}/approve`)

    await visit(page, `/app/changes?open=${requested.id}`)
    const panel = page.getByRole('dialog', { name: `Change request ${requested.id}` })
    await panel.getByText('everything else is sent as it was approved').waitFor()
    expect(await panel.getByRole('button', { name: 'Make the change' }).count()).toBe(0)
    await panel.getByRole('button', { name: 'Enter the details again' }).click()
    const again = page.getByRole('dialog', { name: 'Enter the details again' })
    await again.getByText('It ends with 6789').waitFor()
    expect(await barriers(page)).toEqual([])
    const add = again.getByRole('button', { name: 'Make the change' })
    expect(await add.isDisabled()).toBe(true)
    await again.getByRole('textbox', { name: 'Account number' }).fill('000123456780')
    await add.click()
    await page.getByText('CONFLICT').waitFor()
    expect(await keyed('GET', ACCOUNTS)).toEqual([])
    await again.getByRole('textbox', { name: 'Account number' }).fill('000123456789')
    await add.click()
    await again.waitFor({ state: 'detached' })
    expect(await keyed('GET', ACCOUNTS)).toHaveLength(1)
    expect(await asOwner('GET', `${REQUESTS}/${requested.id}`)).toMatchObject({ status: 'completed' })
  })

  test('who approves a change sees whom it is about, and what a new policy changes', async () => {
    const { page, asOwner, asAdmin, password } = flow()
    const mira = `mira-${Date.now().toString(36)}@flows.example`
    const added = { email: mira, role: 'viewer', name: 'Mira', password }
    const { id: memberId } = await asOwner('POST', '/api/core/members', added)
    const once = { requiredApprovals: 1, coolingOffSeconds: 0 }
    const { version, readable, updatedAt, updatedBy, ...policy } = await asOwner('GET', '/api/core/approval-policy')
    await asOwner('PUT', POLICY, { rules: { members: once, approval_policy: once } })
    onTestFinished(() => lift(flow()))
    await asAdmin('PATCH', `/api/core/members/${memberId}`, { role: 'admin' })
    const asks = policy.requiredApprovals === 1 ? 2 : 1
    await asAdmin('PUT', '/api/core/approval-policy', { ...policy, requiredApprovals: asks })
    const { changeRequests } = await asOwner('GET', `${REQUESTS}?status=requested`)
    const [ofPolicy, ofMember] = changeRequests as { id: number; concernedUserId: number | null }[]
    expect(ofMember?.concernedUserId).toBe(memberId)

    await open(page, `${fixture().url}/app/changes`)
    await page.getByRole('row', { name: `Change a member: ${mira}` }).click()
    const panel = page.getByRole('dialog', { name: `Change request ${ofMember!.id}` })
    await panel.locator('dl').getByText('About').waitFor()
    expect(await panel.locator('dl').textContent()).toContain(`About${mira}`)
    expect(await barriers(page)).toEqual([])
    await visit(page, `/app/changes?open=${ofPolicy!.id}`)
    await page.getByText(`Approvals required: ${policy.requiredApprovals} → ${asks}`).waitFor()
    expect(await barriers(page)).toEqual([])
    for (const { id } of [ofPolicy!, ofMember!]) await asOwner('POST', `${REQUESTS}/${id}/reject`)
  })

  /** Takes the change policy back, which needs the approval that it demands. */
  async function lift({ asOwner, asAdmin, emails, password }: FlowOrganization): Promise<void> {
    const { id } = await asOwner('PUT', POLICY, { rules: {} })
    await asAdmin('POST', `${REQUESTS}/${id}/approve`)
    const { url } = fixture()
    const { accessToken } = await requestsTo(url)('POST', '/api/core/auth/login', { email: emails.owner, password })
    const headers = { authorization: `Bearer ${accessToken}`, 'change-request-id': String(id) }
    await requestsTo(url, headers)('PUT', POLICY, { rules: {} })
  }
}
