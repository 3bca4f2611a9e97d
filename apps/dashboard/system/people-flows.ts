import { expect, test } from 'vitest'
import { barriers } from '../testing/barriers.ts'
import { requestsTo, until } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { open, visit } from '../testing/pages.ts'
import { member } from '../testing/visitors.ts'

/** Members, keys, and changes that need a second person. */
export function peopleFlows(fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('the form for an invitation leads an owner to the proof of their email address', async () => {
    const { page, emails, password } = flow()
    const nobody = requestsTo(fixture().url)
    const mails = `/sandbox/mailbox?to=${emails.owner}&limit=100`
    const proofs = (all: Mail[]) => all.filter(({ subject }) => subject === 'Confirm your email address')
    // The registration sent one, too.
    await until(nobody, mails, (all) => proofs(all).length > 0)
    const sent = proofs(await nobody('GET', mails)).length
    await visit(page, '/app/members')
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a member' })
    await form.getByRole('link', { name: 'your account' }).click()
    await page.getByRole('button', { name: 'Send the link that proves it' }).click()
    await page.getByText('Email sent.').waitFor()
    await until(nobody, mails, (all) => proofs(all).length > sent)
    const [{ id: mailId }] = proofs(await nobody('GET', mails)) as [Mail]
    const { text } = await nobody('GET', `/sandbox/mailbox/${mailId}`)
    const token = /#verify=(\w+)/.exec(text)?.[1]
    await nobody('POST', '/api/core/auth/email-verification/confirm', { token, password })
  })

  test('somebody is invited, the invitation revoked; a role is changed, sessions are ended', async () => {
    const { page, asOwner, emails } = flow()
    await open(page, `${fixture().url}/app/members`)
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const form = page.getByRole('dialog', { name: 'Invite a member' })
    await form.getByLabel('Email address').fill('ida@flows.example')
    await form.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Approver' }).click()
    await form.getByRole('button', { name: 'Send the invitation' }).click()
    await page.getByRole('cell', { name: 'ida@flows.example', exact: true }).waitFor()
    expect(await asOwner('GET', '/api/core/invitations')).toMatchObject([
      { email: 'ida@flows.example', role: 'approver' },
    ])
    await page.getByRole('button', { name: 'Revoke the invitation of ida@flows.example' }).click()
    const revocation = page.getByRole('dialog', { name: 'Revoke the invitation of ida@flows.example?' })
    await revocation.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No open invitation').waitFor()
    expect(await asOwner('GET', '/api/core/invitations')).toEqual([])

    const rolf = `rolf-${Date.now().toString(36)}@flows.example`
    const added = { email: rolf, role: 'viewer', name: 'Rolf', password: flow().password }
    const { id } = await asOwner('POST', '/api/core/members', added)
    const { accessToken } = await requestsTo(fixture().url)('POST', '/api/core/auth/login', added)
    const asRolf = requestsTo(fixture().url, { authorization: `Bearer ${accessToken}` })
    await open(page, `${fixture().url}/app/members`)
    await page.getByRole('button', { name: `Role of ${rolf}` }).click()
    const role = page.getByRole('dialog', { name: `Role of ${rolf}` })
    await role.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'Admin' }).click()
    await role.getByRole('button', { name: 'Change', exact: true }).click()
    await role.waitFor({ state: 'detached' })
    const roleOf = async () =>
      (await asOwner('GET', '/api/core/members')).find((each: { id: number }) => each.id === id)?.role
    expect(await roleOf()).toBe('admin')
    const key = await asRolf('POST', '/api/core/apikeys/generate', { name: 'Of Rolf', permissions: ['read', 'plan'] })

    await page.getByRole('button', { name: `End sessions of ${rolf}` }).click()
    await page.getByRole('button', { name: 'End them' }).click()
    await page.getByText('Sessions ended.').waitFor()
    await expect(asRolf('GET', '/api/core/members')).rejects.toThrow('401')

    // What somebody can still do is named before and after they are gone.
    await page.getByRole('button', { name: `Remove ${rolf}` }).click()
    const before = page.getByRole('dialog', { name: `Remove ${rolf}?` })
    await before.getByText(/Key Of Rolf: it reads wallets, .*plans/).waitFor()
    await before.getByRole('button', { name: 'Remove', exact: true }).click()
    const after = page.getByRole('dialog', { name: `${rolf} is removed` })
    await after.getByRole('link', { name: 'Key Of Rolf' }).waitFor()
    expect(await roleOf()).toBeUndefined()
    const asKey = requestsTo(fixture().url, { 'x-api-key': key.apiKey })
    expect(await asKey('GET', '/api/core/wallets/monitored')).toHaveLength(1)
    expect(emails.owner).not.toBe(added.email)
  })

  test('a key is generated, rotated with an overlap, and revoked at once', async () => {
    const { page } = flow()
    const statusWith = async (apiKey: string) => {
      const headers = { 'x-api-key': apiKey }
      return (await fetch(`${fixture().url}/api/core/wallets/monitored`, { headers })).status
    }
    const shown = async () => {
      const dialog = page.getByRole('dialog', { name: 'The new key' })
      const key = (await dialog.locator('pre').textContent()) ?? ''
      await dialog.getByRole('button', { name: 'I have stored it' }).click()
      await dialog.waitFor({ state: 'detached' })
      return key
    }
    await visit(page, '/app/developers')
    await page.getByRole('button', { name: 'Generate a key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Generate a key' })
    await form.getByLabel('Name').fill('Reporting')
    await form.getByRole('button', { name: 'Generate', exact: true }).click()
    const first = await shown()
    expect(await statusWith(first)).toBe(200)
    await page.getByRole('button', { name: 'Rotate Reporting' }).click()
    const rotation = page.getByRole('dialog', { name: 'Rotate Reporting?' })
    await rotation.getByRole('button', { name: 'Rotate', exact: true }).click()
    const second = await shown()
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])
    for (let left = 2; left > 0; left--) {
      await page.getByRole('button', { name: 'Revoke Reporting' }).first().click()
      await page.getByRole('dialog', { name: 'Revoke Reporting?' }).getByRole('button', { name: 'Revoke' }).click()
      const after = page.getByRole('dialog', { name: 'Reporting is revoked' })
      await after.getByText('Every request with it is refused').waitFor()
      await after.getByRole('button', { name: 'Close' }).last().click()
    }
    await expect.poll(async () => [await statusWith(first), await statusWith(second)]).toEqual([403, 403])
  })

  test('a key that needs a second person is approved in their page, with a reason and a link that the requester reads, and shown once to them', async () => {
    const { page, asOwner, emails, password } = flow()
    const policy = '/api/core/change-policy'
    await visit(page, '/app/settings')
    await page.getByRole('textbox', { name: 'Approvals for changes of keys' }).fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Change policy saved.').waitFor()
    expect(await asOwner('GET', policy)).toMatchObject({ version: 1, rules: { keys: { requiredApprovals: 1 } } })
    await visit(page, '/app/developers')
    await page.getByRole('button', { name: 'Generate a key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Generate a key' })
    await form.getByLabel('Name').fill('Payroll')
    await form.getByRole('button', { name: 'Generate', exact: true }).click()
    await form.waitFor({ state: 'detached' })
    const requested = async () => (await asOwner('GET', '/api/core/change-requests')).changeRequests[0]
    const { id } = await requested()

    const { context, page: other } = await member(fixture().browser, fixture().url, { email: emails.admin, password })
    await other.goto(`${fixture().url}/app/changes?open=${id}`)
    const link = other.getByLabel('Link to an invoice or a ticket')
    await link.fill('http://tickets.example/8')
    expect(await other.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true)
    await link.fill('https://tickets.example/8')
    await other.getByLabel('Reason').fill('Payroll moves to its own key.')
    expect(await barriers(other)).toEqual([])
    await other.getByRole('button', { name: 'Approve', exact: true }).click()
    await other.getByText('Done.').waitFor()
    await visit(other, '/app/settings')
    await other.getByText('Only owners change it.').waitFor()
    expect(await other.getByRole('textbox', { name: 'Approvals for changes of keys' }).isDisabled()).toBe(true)
    await context.close()
    expect((await requested()).status).toBe('approved')

    await visit(page, `/app/changes?open=${id}`)
    const decisions = page.getByRole('list', { name: 'Decisions' })
    await decisions.getByText('Payroll moves to its own key.').waitFor()
    expect(await decisions.getByRole('link').getAttribute('href')).toBe('https://tickets.example/8')
    expect(await page.getByLabel('Reason').count()).toBe(0)
    const copy = page.getByRole('button', { name: 'Copy POST /api/core/apikeys/generate as curl or SDK' })
    await copy.click()
    await page.getByText(`-H "change-request-id: ${id}"`).waitFor()
    await copy.click()
    await page.getByRole('button', { name: 'Make the change' }).click()
    const dialog = page.getByRole('dialog', { name: 'The new secret' })
    const key = (await dialog.locator('pre').textContent()) ?? ''
    const asKey = requestsTo(fixture().url, { 'x-api-key': key })
    expect(await asKey('GET', '/api/core/wallets/monitored')).toHaveLength(1)
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    expect((await requested()).status).toBe('completed')

    // A change without a body opens, too; the policy itself needs the same approval to be lifted.
    const { id: destination } = await asOwner('POST', '/api/core/destinations', {
      blockchain: 'polygon',
      address: flow().treasury.address,
      label: 'Treasury',
    })
    expect(destination).toBeGreaterThan(0)
    await asOwner('PUT', policy, { rules: {} })
    const refused = await requested()
    await flow().asAdmin('POST', `/api/core/change-requests/${refused.id}/reject`, { reason: 'Keys stay guarded.' })
    await open(page, `${fixture().url}/app/changes?open=${refused.id}`)
    await page.getByText(`Rejected by ${emails.admin}`).waitFor()
    await page.getByText('Keys stay guarded.').waitFor()
    await asOwner('PUT', policy, { rules: {} })
    const lifting = await requested()
    await flow().asAdmin('POST', `/api/core/change-requests/${lifting.id}/approve`)
    await open(page, `${fixture().url}/app/changes?open=${lifting.id}`)
    await page.getByRole('button', { name: 'Make the change' }).click()
    await page.getByText('Change made.').waitFor()
    expect(await asOwner('GET', policy)).toMatchObject({ version: 2, rules: { keys: { requiredApprovals: 0 } } })
  })
}

interface Mail {
  readonly id: number
  readonly subject: string
}
