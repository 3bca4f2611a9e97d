import { expect, onTestFinished, test } from 'vitest'
import { CLIENT } from '../../server/system/clients/sso-organization.ts'
import { clientWallet, strategiesOf } from '../testing/client-wallet.ts'
import type { DashboardFixture } from '../testing/dashboard-fixture.ts'
import type { FlowOrganization } from '../testing/flow-organization.ts'
import { visit } from '../testing/pages.ts'

/** Settings, and what a person prefers on their machine. */
export function settingsFlows(fixture: () => DashboardFixture, flow: () => FlowOrganization): void {
  test('destinations are added, enforced and removed', async () => {
    const { page, asOwner } = flow()
    const list = () => asOwner('GET', '/api/core/destinations')
    await visit(page, '/app/settings?tab=destinations')
    await page.getByRole('button', { name: 'Remove Treasury' }).click()
    const removal = page.getByRole('dialog', { name: 'Remove Treasury?' })
    await removal.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('No destination yet').waitFor()
    expect(await list()).toEqual({ enforced: false, destinations: [] })
    await page.getByRole('switch', { name: 'Only addresses on this list' }).click()
    await page.getByText('The list is empty, so no account can be opened.').waitFor()
    await page.getByRole('button', { name: 'Add a destination' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add a destination' })
    await form.getByLabel('Address').fill('0x794a61358D6845594F94dc1DB02A252b5b4814aD')
    await form.getByLabel('Label').fill('Vault')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /^Vault 0x/ }).waitFor()
    expect(await list()).toMatchObject({ enforced: true, destinations: [{ label: 'Vault', blockchain: 'polygon' }] })
  })

  test('a domain is proved by its record, and a provider for it is added, required and deleted', async () => {
    const { page, asOwner, emails } = flow()
    const { dns, provider } = fixture()
    const providers = () => asOwner('GET', '/api/core/sso/providers')
    await visit(page, '/app/settings?tab=sso')
    await page.getByRole('button', { name: 'Claim a domain' }).first().click()
    const claim = page.getByRole('dialog', { name: 'Claim a domain' })
    await claim.getByRole('textbox', { name: 'Domain' }).fill('flows.example')
    await claim.getByRole('button', { name: 'Claim', exact: true }).click()
    await page.getByText('Publish this TXT record:').waitFor()
    const look = page.getByRole('button', { name: 'Check the record of flows.example' })
    await look.click()
    await page.getByText('CONFLICT').waitFor()
    const [{ recordName, recordValue }] = await asOwner('GET', '/api/core/sso/domains')
    await page.getByText(recordValue).waitFor()
    dns.records.set(recordName, recordValue)
    await look.click()
    await page.getByText('Domain proved.').waitFor()

    await page.getByRole('button', { name: 'Add a provider' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add an identity provider' })
    await form.getByRole('textbox', { name: 'Name' }).fill(CLIENT.name)
    await form.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer)
    await form.getByRole('textbox', { name: 'Client ID' }).fill(CLIENT.clientId)
    await form.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.clientSecret)
    await form.getByRole('textbox', { name: 'Claim that gives roles' }).fill('groups')
    await form.getByRole('textbox', { name: 'Roles by value' }).fill('treasury-approvers = approver')
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('row', { name: /^Directory/ }).click()
    expect(await providers()).toMatchObject([
      {
        issuer: provider.issuer,
        domains: ['flows.example'],
        roleClaim: 'groups',
        roleMappings: [{ value: 'treasury-approvers', role: 'approver' }],
        defaultRole: 'viewer',
        enforced: false,
      },
    ])
    expect(await page.content()).not.toContain(CLIENT.clientSecret)

    const panel = page.getByRole('dialog', { name: 'Directory' })
    await panel.getByRole('combobox', { name: 'May still use a password' }).click()
    await page.getByRole('option', { name: emails.owner }).click()
    await expect.poll(async () => (await providers())[0].breakGlassMemberId).toBeGreaterThan(0)
    await panel.getByRole('switch', { name: 'Members of its domains must sign in here' }).click()
    await expect.poll(async () => (await providers())[0].enforced).toBe(true)
    await panel.getByRole('button', { name: 'Delete' }).click()
    const removal = page.getByRole('dialog', { name: 'Delete Directory?' })
    await removal.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('No provider yet').waitFor()
    expect(await providers()).toEqual([])
  })

  test('a refused sign-in is a security event, with who and why', async () => {
    const { page, emails } = flow()
    const { url } = fixture()
    await fetch(`${url}/api/core/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: emails.admin, password: 'not this one, surely' }),
    })
    await visit(page, '/app/settings?tab=events')
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Sign-in refused' }).click()
    await page
      .getByRole('row', { name: new RegExp(`^Sign-in refused ${emails.admin}`) })
      .first()
      .click()
    const panel = page.getByRole('dialog', { name: 'Security event' })
    await panel.getByText('Wrong password').waitFor()
    await panel.getByText('POST /api/core/auth/login').waitFor()
  })

  test('updates are paused and resumed; colors and the time zone stay after a load', async () => {
    const { page, asOwner, keyed, treasury } = flow()
    const rename = (label: string) => asOwner('PUT', `/api/core/wallets/${treasury.walletId}`, { label })
    // A first attempt may have renamed it.
    await rename('Treasury')
    await visit(page, '/app/wallets')
    await page.getByRole('row', { name: /^Treasury/ }).waitFor()
    onTestFinished(async () => {
      for (const back of [/^Paused, \d+ new: resume$/, 'Use light colors']) {
        const button = page.getByRole('button', { name: back })
        if (await button.isVisible()) await button.click()
      }
    })
    await page.getByRole('button', { name: 'Live: pause updates' }).click()
    // The service reports what others do at the same time.
    await page.getByRole('button', { name: /^Paused, \d+ new: resume$/ }).waitFor()
    await rename('Renamed')
    const { walletId } = await clientWallet(keyed, '5000000000')
    const strategy = (await strategiesOf(keyed)).find(({ name }) => name.startsWith('Aave'))
    await keyed('POST', '/v1/operations/supply', { walletId, ...strategy, amount: '1000000000' })
    const resume = page.getByRole('button', { name: /^Paused, [1-9]\d* new: resume$/ })
    await resume.waitFor()
    expect(await page.getByRole('row', { name: /^Treasury/ }).count()).toBe(1)
    await resume.click()
    await page.getByRole('row', { name: /^Renamed/ }).waitFor()

    const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
    expect(await scheme()).toBe('light')
    await page.getByRole('button', { name: 'Use dark colors' }).click()
    expect(await scheme()).toBe('dark')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitemradio', { name: 'Asia/Singapore' }).click()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await scheme()).toBe('dark')
    await page.getByRole('button', { name: /account of/ }).click()
    await page.getByRole('menuitemradio', { name: 'Asia/Singapore', checked: true }).waitFor()
    await page.keyboard.press('Escape')
    await visit(page, '/app/audit')
    expect(await page.locator('tbody time').first().getAttribute('title')).toMatch(/Asia\/Singapore$/)
    await page.getByRole('button', { name: 'Use light colors' }).click()
  })
}
