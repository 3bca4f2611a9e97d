import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseSource, serverSource } from '../testing/source/source-tree.ts'
import { writingFiles } from '../testing/source/writing-files.ts'

/** Rooms without verbs: they compose, parse or present, or verbs build on them. */
const NO_VERBS = new Set(['database', 'kernel', 'config', 'main', 'sandbox', 'surfaces'])

/**
 * Files that change state only by calling what has a test next to it, or as a step of another verb, and the test that
 * fails without them. The rule follows calls, however far down: what a verb is moved into needs a test or a line here.
 */
const HELD_BY: Readonly<Record<string, string>> = {
  'destinations/erase-destinations.ts': 'main/compose/organization-erasure.test.ts',
  'identity/authenticator.ts': 'identity/keys/authenticate-key.test.ts',
  'identity/mail/notify-account.ts': 'identity/members/reset-member-factors.test.ts',
  'identity/mail/send-verification.ts': 'identity/addresses/request-verification.test.ts',
  'identity/members/notify-approvers.ts': 'operations/approval/notify-of-operations.test.ts',
  'identity/sso/domains/take-address.ts': 'identity/sso/sign-in/resolve-member.test.ts',
  'mail/erase-mailbox.ts': 'main/compose/organization-erasure.test.ts',
  'operations/approval/request-signature.ts': 'surfaces/core/operations/signed-approvals.test.ts',
  'operations/approval/verify-signature.ts': 'surfaces/core/operations/signed-approvals.test.ts',
  'operations/leasing/decide-replacement.ts': 'operations/leasing/offer-stuck-transactions.test.ts',
  'operations/settlement/pending/revive-landed.ts': 'watch/stalled-lists.test.ts',
  'operations/lifecycle/transitions/abort-unissued.ts': 'operations/approval/abort-overdue.test.ts',
  'operations/lifecycle/transitions/fail-transaction.ts': 'operations/settlement/landings/apply-finding.test.ts',
  'operations/lifecycle/conflicts/get-operation.ts': 'operations/lifecycle/conflicts/expire-operations.test.ts',
  'operations/planning/left-allowance-on-chain.ts': 'rebalancing/revoke-left-allowances.test.ts',
  'operations/planning/precheck.ts': 'operations/planning/plan-supply.test.ts',
  'operations/settlement/shared/save-settled-position.ts': 'operations/settlement/landings/settle-landed.test.ts',
  'operations/settlement/shared/settlement-calls.ts': 'operations/settlement/reconciliation/reconcile-balances.test.ts',
  'operations/transactions/mark-submitted.ts': 'operations/leasing/report-submitted.test.ts',
  'ramp/bridge/external-account.ts': 'ramp/bridge/bridge.test.ts',
  'ramp/bridge/liquidation-address.ts': 'ramp/bridge/bridge.test.ts',
  'ramp/bridge/provider.ts': 'ramp/bridge/bridge.test.ts',
  'ramp/bridge/virtual-account.ts': 'ramp/bridge/bridge.test.ts',
  'rebalancing/schedule-drifted-wallets.ts': 'rebalancing/evaluate-due-wallets.test.ts',
  'secrets/count-sealed-values.ts': 'secrets/walk-sealed-values.test.ts',
  'secrets/find-sealing-keys.ts': 'secrets/walk-sealed-values.test.ts',
  'venues/venues-file/retry-waiting-venues.ts': 'main/start/await-venues.test.ts',
  'watch/follow-blocks.ts': 'watch/follow-chain.test.ts',
  'watch/settle-next-block.ts': 'watch/follow-chain.test.ts',
}

const root = dirname(fileURLToPath(import.meta.url))
const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
const files = new Set(names)
const verbs = writingFiles(
  serverSource().filter(({ path }) => path.includes('/') && !NO_VERBS.has(path.split('/')[0]!)),
)
const untested = verbs.filter((name) => !files.has(name.replace(/\.ts$/, '.test.ts')))

test('every verb that changes something has its test next to it, or another one holds it', () => {
  expect(verbs.length).toBeGreaterThan(250)
  expect(untested.filter((name) => !(name in HELD_BY))).toEqual([])
})

test('what another test holds changes something, has no test next to it, and that test exists', () => {
  const stale = Object.entries(HELD_BY).filter(([name, test]) => !untested.includes(name) || !files.has(test))
  expect(stale).toEqual([])
})

test('the rule finds what writes, and what calls it through other files, constants and an index', () => {
  const tree = (texts: Readonly<Record<string, string>>) =>
    writingFiles(Object.entries(texts).map(([path, text]) => parseSource(path, text)))
  const store = "export const save = (tx) => tx.insertInto('rows')\nexport const read = (tx) => tx.selectFrom('rows')"
  const index = "export { read, save } from './store.ts'"
  const importing = (name: string) => `import { ${name} } from '../a/index.ts'\n`
  expect(
    tree({
      'a/store.ts': store,
      'a/index.ts': index,
      'b/call.ts': `${importing('save')}const SAVE = { run: save }\nexport const call = (calls) => calls.call(SAVE)`,
      'b/far.ts': "import { call } from './call.ts'\nexport async function far() { await call() }",
      'b/reads.ts': `${importing('read')}export const reads = (tx) => read(tx)`,
      'b/types.ts': `${importing('save')}export type Saved = ReturnType<typeof save>`,
      'b/commented.ts': '/** Calls save, and update rows set x. */\nexport const x = () => 1',
      'b/named.ts': `${importing('save')}export const named = (parts) => parts.save({ save: 1 })`,
      'b/inner.ts': `${importing('save')}function inner(tx) { save(tx) }`,
      'b/erasure.ts': 'export const E = { erase: (tx) => sql`delete from rows`.execute(tx) }',
    }),
  ).toEqual(['a/store.ts', 'b/call.ts', 'b/erasure.ts', 'b/far.ts'])
})

test('the tests that a test names at its top exist', () => {
  const named = names
    .filter((name) => name.endsWith('.test.ts'))
    .flatMap((from) => [...headerOf(from).matchAll(/[\w/-]+\.test\.ts/g)].map(([path]) => ({ from, path })))
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ from, path }) => !exists(from, path))).toEqual([])
})

/** The comment lines at the top of a file. */
function headerOf(name: string): string {
  return /^(\/\/.*\n)*/.exec(readFileSync(join(root, name), 'utf8'))![0]
}

/** A path is relative to the test's folder, its room, the service, `apps/server` or the repository. */
function exists(from: string, path: string): boolean {
  const bases = [dirname(from), from.split('/')[0]!, '.', '..', '../../..']
  return bases.some((base) => existsSync(join(root, base, path)))
}
