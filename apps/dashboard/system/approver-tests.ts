import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { addAuthenticator } from '../testing/authenticator.ts'
import { barriers } from '../testing/barriers.ts'
import { type DashboardFixture, DESKTOP, STALE } from '../testing/dashboard-fixture.ts'
import { fillSignIn, open } from '../testing/pages.ts'

/** Approvals over what people see, and the passkeys that sign them. Later tests use the owner's. */
export function approverTests(fixture: () => DashboardFixture): void {
  test('two people approve what waits with passkeys over what they see, and the third role only looks', async () => {
    const { url, as, memberOf } = fixture()
    const { page: looks } = await memberOf('viewer')
    await open(looks, `${url}/app/operations`)
    expect(await looks.getByRole('button', { name: /Review operation/ }).count()).toBe(0)
    expect(await looks.getByText('Approvers decide').count()).toBe(1)
    await open(looks, `${url}/app/audit`)
    await looks.getByText('You do not have access to this').waitFor()
    expect(await barriers(looks)).toEqual([])

    const { page: approver } = await memberOf('approver')
    await begin(approver, url)
    await approver.getByText('1 of 2 approvals.').waitFor()
    await open(looks, `${url}/app/operations`)
    await looks.getByRole('cell', { name: 'Pending approval 1 of 2, by large', exact: true }).waitFor()

    const { page: owner } = await memberOf('owner')
    await owner.setViewportSize(DESKTOP)
    await makePasskey(owner, url, as('owner'))
    await open(owner, `${url}/app/members`)
    await owner.route('**/signed-approvals', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await owner.getByRole('switch', { name: 'Require signed approvals' }).click()
    await owner.getByRole('dialog', { name: 'Verify that it is you' }).waitFor()
    expect(await barriers(owner)).toEqual([])
    await owner.getByRole('button', { name: 'Use a passkey' }).click()
    await owner.getByText('Saved.').waitFor()
    // The question lies over the form whose request needs the factor, and the form keeps what was entered.
    await owner.route('**/invitations', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await owner.getByRole('button', { name: 'Invite a member' }).click()
    const invitation = owner.getByRole('dialog', { name: 'Invite a member' })
    await invitation.getByLabel('Email address').fill('iris@basalt.example')
    await invitation.getByRole('button', { name: 'Send the invitation' }).click()
    const question = owner.getByRole('dialog', { name: 'Verify that it is you' })
    await question.locator(':focus').waitFor()
    await owner.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await invitation.getByLabel('Email address').inputValue()).toBe('iris@basalt.example')
    await owner.route('**/invitations', (route) => route.fulfill({ status: 403, json: STALE }), { times: 1 })
    await invitation.getByRole('button', { name: 'Send the invitation' }).click()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await owner.keyboard.press('Escape')
    await invitation.waitFor({ state: 'detached' })

    // The approval without a signature does not count; without a passkey there is no other.
    await approve(approver, url)
    await approver.getByRole('link', { name: 'Add one in your account' }).waitFor()
    expect(await barriers(approver)).toEqual([])
    await makePasskey(approver, url, as('approver'))
    await approve(approver, url)
    const signing = approver.getByRole('dialog', { name: 'Sign the approval' })
    await signing.locator('dl').getByText('SUPPLY').waitFor()
    await signing.getByText('The calls that do it have the hash').waitFor()
    expect(await barriers(approver)).toEqual([])
    await approver.getByRole('button', { name: 'Sign with your passkey' }).click()
    await approver.getByText('1 of 2 approvals.').waitFor()

    const { page: admin } = await memberOf('admin')
    await makePasskey(admin, url, as('admin'))
    // A service that requests a signature over something other than what it shows gets none.
    await admin.route('**/approval-request', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replace('amount: ', 'amount: 1') })
    })
    await approve(admin, url)
    await admin.getByRole('button', { name: 'Sign with your passkey' }).click()
    await admin.getByText('The service asks for a signature over something else.').waitFor()
    await admin.unroute('**/approval-request')
    await approve(admin, url)
    await admin.getByRole('button', { name: 'Sign with your passkey' }).click()
    await admin.getByText('The last approval arrived.').waitFor()
  })

  test('a passkey signs in without a password, and is the second factor after one', async () => {
    const { url, as, memberOf } = fixture()
    const { context, page } = await memberOf('admin')
    await context.clearCookies()
    await page.goto(`${url}/`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await context.clearCookies()
    await page.goto(`${url}/app/venues`)
    await fillSignIn(page, as('admin'))
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    expect(await barriers(page)).toEqual([])
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('heading', { level: 1, name: 'Venues' }).waitFor()
  })
}

/** Opens the queue, and approves the operation in it once its calls are shown. */
async function begin(page: Page, url: string): Promise<void> {
  await open(page, `${url}/app/operations`)
  await page.getByRole('button', { name: /Review operation/ }).click()
  await page.getByText('Hash of these calls, computed here').waitFor()
  await page.getByRole('button', { name: /Approve operation/ }).click()
}

/** The same, up to the dialog for the signature. */
async function approve(page: Page, url: string): Promise<void> {
  await begin(page, url)
  await page.getByRole('dialog', { name: 'Sign the approval' }).waitFor()
}

async function makePasskey(page: Page, url: string, { password }: { readonly password: string }): Promise<void> {
  await addAuthenticator(page)
  await open(page, `${url}/app/account`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  // The tests before may have taken longer than the five minutes in which a sign-in is enough.
  await page.getByRole('dialog', { name: 'Add a passkey' }).getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Create the passkey' }).click()
  await page.getByLabel('Codes to store').waitFor()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'I have stored them' }).click()
  await page.getByText('10 recovery codes left.').waitFor()
}
