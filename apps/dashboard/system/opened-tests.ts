import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { barriers, barriersInDark } from '../testing/barriers.ts'
import { type DashboardFixture, DESKTOP, PHONE } from '../testing/dashboard-fixture.ts'
import { inShort, LOOKS } from '../testing/in-short.ts'
import { coveredControls, cutTables, isWide } from '../testing/layout.ts'
import { open, settled, visit } from '../testing/pages.ts'
import { stubChange, stubList } from '../testing/stubbed-lists.ts'

interface Opened {
  readonly path: string
  open(page: Page): Promise<void>
  /** What the page needs before it is opened. */
  prepare?(page: Page): Promise<void>
  /** What opened; a dialog unless it says otherwise. */
  readonly within?: string
}

const button = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const row =
  (name: RegExp = /./) =>
  (page: Page) =>
    page.locator('tbody tr').filter({ hasText: name }).first().click()
const nothing = async () => {}
/** A dialog of what a row opens. */
const inRow = (name: string | RegExp) => async (page: Page) => {
  await row()(page)
  await button(name)(page)
}
const stubbed = (name: Parameters<typeof stubList>[1]) => (page: Page) => stubList(page, name)
async function newSecret(page: Page): Promise<void> {
  await button('Generate a key')(page)
  await page.getByRole('dialog').getByLabel('Name').fill('For a look')
  await page.getByRole('dialog').getByRole('button', { name: 'Generate', exact: true }).click()
  await page.getByText('It is shown once.').waitFor()
}
async function whatIsLeft(page: Page): Promise<void> {
  await button(/^Remove /)(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('dialog', { name: /is removed$/ }).waitFor()
}
async function simulation(page: Page): Promise<void> {
  await button(/^Pay in to/)(page)
  await page.getByRole('dialog', { name: 'Simulate a payment in' }).waitFor()
}
/** A rule with every condition, and what it would have decided. */
async function draft(page: Page): Promise<void> {
  await button('Add a rule')(page)
  const rule = page.getByRole('region', { name: 'Rule 2' })
  for (const name of ['Type of operation', 'Wallets', 'Custody providers', 'Counterparties', 'Outside hours']) {
    await rule.getByRole('combobox', { name: 'Add a condition to rule 2' }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await rule.getByRole('button', { name: /^× Wallets/ }).click()
  await rule.getByRole('button', { name: /^× Counterparties/ }).click()
  await rule.getByRole('button', { name: /^× Custody providers/ }).click()
  await button('Try it on past operations')(page)
  await page.getByText(/would proceed/).waitFor()
}

/** The drawers, dialogs and menus of the dashboard, and how to open each. */
const OPENED: Readonly<Record<string, Opened>> = {
  'the user menu': { path: '/', open: button(/account of/), within: '[role=menu]' },
  'the search': { path: '/', open: (page) => page.keyboard.press('Control+k') },
  'a request as curl': { path: '/app/venues', open: button(/^Copy GET/) },
  'saved views': { path: '/app/operations?tab=history&status=COMPLETED', open: button('Views') },
  'a wallet': { path: '/app/wallets', open: row(/Payouts/) },
  'a new wallet': { path: '/app/wallets', open: button('Add a wallet') },
  'an operation that waits': { path: '/app/operations', open: row() },
  'the rejection of an operation': { path: '/app/operations', open: inRow(/^Reject operation/) },
  'an operation that ended': { path: '/app/operations?tab=history', open: row(/Completed/) },
  'a position': { path: '/app/allocations', open: row(/Aave/) },
  'the withdrawal of a whole position': {
    path: '/app/allocations',
    open: async (page) => {
      await row(/^Cooldown USDC.*Active/)(page)
      await button('Withdraw all')(page)
      await page.getByRole('dialog', { name: 'Withdraw the whole position?' }).waitFor()
    },
  },
  'a position that pays later': { path: '/app/allocations', open: row(/^Cooldown USDC.*Active/) },
  'an exit': { path: '/app/allocations', open: row(/Queued USDC.*Claimable/) },
  'a deployment': { path: '/app/allocations', open: button('Deploy') },
  'a strategy': { path: '/app/venues', open: row(/Aave/) },
  'a cap': { path: '/app/venues', open: button(/cap of/i) },
  'an open circuit breaker': { path: '/app/venues?tab=breakers', open: button(/^Accept/) },
  'the acceptance of a break': {
    path: '/app/reconciliation',
    prepare: stubbed('breaks'),
    open: button(/^Accept the break/),
  },
  'a simulated payment': { path: '/app/ramp?tab=accounts', open: simulation },
  'an account for payments in': { path: '/app/ramp?tab=accounts&form=in', open: nothing },
  'an account for payments out': { path: '/app/ramp?tab=accounts&form=out', open: nothing },
  'a recipient': { path: '/app/ramp?tab=recipients', open: row() },
  'a payment': { path: '/app/ramp?tab=payments', open: row() },
  'an event': { path: '/app/activity', open: row() },
  'a webhook': { path: '/app/activity?tab=webhooks', open: row() },
  'a new webhook': { path: '/app/activity?tab=webhooks', open: button('Add a webhook') },
  'an edited webhook': { path: '/app/activity?tab=webhooks', open: inRow('Edit') },
  'the rotation of a webhook': { path: '/app/activity?tab=webhooks', open: inRow('Rotate the secret') },
  'the deletion of a webhook': { path: '/app/activity?tab=webhooks', open: inRow('Delete') },
  'an error of a key': { path: '/app/activity?tab=errors', open: row() },
  'a request of the tab': { path: '/app/activity?tab=requests', open: button(/^curl or SDK: GET/) },
  'a new key': { path: '/app/developers', open: button('Generate a key') },
  'the secret of a new key': {
    path: '/app/developers',
    prepare: (page) => stubChange(page, 'POST', '**/apikeys/generate', { id: 1, apiKey: `wk_${'a'.repeat(40)}` }),
    open: newSecret,
  },
  'the rotation of a key': { path: '/app/developers', open: button(/^Rotate/) },
  'the revocation of a key': { path: '/app/developers', open: button(/^Revoke/) },
  'a service account': { path: '/app/developers?tab=accounts', open: row() },
  'a change request': { path: '/app/changes', open: row() },
  'an invitation': { path: '/app/members', open: button('Invite a member') },
  'a role': { path: '/app/members', open: button(/^Role of/) },
  'a removal': { path: '/app/members', open: button(/^Remove /) },
  'the end of sessions': { path: '/app/members', open: button(/^End sessions/) },
  'a new destination': { path: '/app/settings?tab=destinations', open: button('Add a destination') },
  'the removal of a destination': {
    path: '/app/settings?tab=destinations',
    prepare: stubbed('destinations'),
    open: button('Remove Cold storage'),
  },
  'the release of a domain': {
    path: '/app/settings?tab=sso',
    prepare: stubbed('domains'),
    open: button('Release basalt.example'),
  },
  'an edited provider': { path: '/app/settings?tab=sso', prepare: stubbed('providers'), open: inRow('Edit') },
  'the deletion of a provider': { path: '/app/settings?tab=sso', prepare: stubbed('providers'), open: inRow('Delete') },
  'a security event': { path: '/app/settings?tab=events', prepare: stubbed('events'), open: row() },
  'an email of the sandbox': {
    path: '/app/sandbox',
    open: (page) => page.getByRole('region', { name: 'Emails' }).locator('tbody tr').first().click(),
  },
  'a new domain': { path: '/app/settings?tab=sso', open: button('Claim a domain') },
  'a new provider': { path: '/app/settings?tab=sso', open: button('Add a provider') },
  'a new app for codes': { path: '/app/account', open: button('Add an app') },
  'a new passkey': { path: '/app/account', open: button('Add a passkey') },
  'an entry of the audit log': { path: '/app/audit', open: row() },
  'the draft of a policy': { path: '/app/policy', open: draft, within: 'main' },
  // The last: its notification would cover what comes after it.
  'what a removed member leaves': {
    path: '/app/members',
    prepare: (page) => stubChange(page, 'DELETE', '**/api/core/members/*', { deleted: true }),
    open: whatIsLeft,
  },
}

/** What holds for everything that opens over a page. */
export function openedTests(fixture: () => DashboardFixture): void {
  const names = Object.keys(OPENED)
  const third = Math.ceil(names.length / 3)
  test.each([names.slice(0, third), names.slice(third, 2 * third), names.slice(2 * third)])(
    'what opens over a page is accessible and whole in light, dark and phone width: %s and so on',
    async (...group) => {
      const { url, memberOf } = fixture()
      const { page } = await memberOf('owner')
      await page.setViewportSize(DESKTOP)
      await open(page, `${url}/`)
      const found: string[] = []
      for (const name of group) {
        const { path, open: act, prepare, within = '[role=dialog]' } = OPENED[name]!
        await prepare?.(page)
        // What the page before it read is kept for seconds: another load reads what was prepared.
        if (prepare) await open(page, url + path)
        else await visit(page, path)
        await act(page)
        await page.locator(within).first().waitFor()
        await settled(page)
        const note = (where: string, list: readonly string[]) =>
          found.push(...list.map((each) => `${name} ${where}: ${each}`))
        const looks = inShort(LOOKS, names.indexOf(name))
        note('cuts a table', await cutTables(page, within))
        // A page scrolls below the header and whatever is over it.
        const isOver = within !== 'main'
        if (isOver) note('has under a notification', await coveredControls(page, within))
        if (looks.includes('light')) note('in light', await barriers(page, { within }))
        if (looks.includes('dark')) note('in dark', await barriersInDark(page, within))
        await page.setViewportSize(PHONE)
        if (looks.includes('phone')) note('on a phone', await barriers(page, { within }))
        note('on a phone cuts a table', await cutTables(page, within))
        if (isOver) note('on a phone has under a notification', await coveredControls(page, within))
        if (await isWide(page)) note('on a phone', ['scrolls sideways'])
        await page.setViewportSize(DESKTOP)
        await page.keyboard.press('Escape')
        if (prepare) await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
      expect(found).toEqual([])
    },
  )
}
