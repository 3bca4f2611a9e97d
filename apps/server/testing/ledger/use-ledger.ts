import { afterAll, beforeAll } from 'vitest'
import { type Database, inTransaction } from '../../src/database/index.ts'
import { createOrganization } from '../../src/identity/organizations/create-organization.ts'
import { type Log, ManualClock, silentLog } from '../../src/kernel/index.ts'
import { type LedgerEntry, openAccounts, post } from '../../src/ledger/index.ts'
import { type TestDatabase, testDatabase } from '../index.ts'

export const LEDGER_TOKENS = ['0xUSDC', '0xUSDT']

export interface LedgerInUse {
  readonly db: Database
  readonly clock: ManualClock
  readonly log: Log
  /** Wallets of a new organization, with open accounts in both tokens. */
  wallets(count: number, blockchain?: string): Promise<{ organizationId: number; ids: number[] }>
  /** An entry with a source that no other entry has, unless one is given. */
  entry(organizationId: number, lines: LedgerEntry['postings'], source?: string): LedgerEntry
  post(entries: readonly LedgerEntry[]): Promise<void>
}

/** One database with a ledger for a test file. */
export function useLedger(): LedgerInUse {
  let database: TestDatabase | undefined
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database?.close())
  const clock = new ManualClock()
  let [organizations, sources] = [0, 0]
  const ledger: LedgerInUse = {
    get db() {
      return database!.db
    },
    clock,
    log: silentLog,
    async wallets(count, blockchain = 'polygon') {
      organizations += 1
      const name = `Acme ${organizations}`
      const email = `owner${organizations}@ledger.example`
      const owner = { email, name: null, passwordHash: 'nobody logs in' }
      const created = await inTransaction(ledger.db, (tx) => createOrganization(tx, { clock }, { name, owner }))
      const organizationId = created.organization.id
      const rows = await ledger.db
        .insertInto('wallets')
        .values(
          Array.from({ length: count }, (_, index) => ({
            organization_id: organizationId,
            wallet_profile_id: created.defaultProfileId,
            blockchain,
            address: `0x${index}`,
            created_at: clock.now(),
          })),
        )
        .returning('id')
        .execute()
      const ids = rows.map(({ id }) => id)
      for (const walletId of ids) await openAccounts(ledger.db, { organizationId, walletId }, LEDGER_TOKENS)
      return { organizationId, ids }
    },
    entry(organizationId, lines, source) {
      sources += 1
      const at = clock.now()
      return { organizationId, kind: 'external_balance', source: source ?? `test:${sources}`, at, postings: lines }
    },
    post: (entries) => inTransaction(ledger.db, (tx) => post(tx, entries)),
  }
  return ledger
}
