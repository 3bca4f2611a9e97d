import { afterAll, beforeAll, beforeEach } from 'vitest'
import { inTransaction } from '../../src/database/index.ts'
import { appendAuditEntry, type NewAuditEntry } from '../../src/identity/index.ts'
import { type IdentityFixture, identityFixture, organization } from './identity-fixture.ts'

/** The audit log of a new organization for each test, on one database for the file. */
export interface AuditLogInUse {
  readonly parts: IdentityFixture
  readonly organizationId: number
  readonly userId: number
  entry(overrides?: Partial<NewAuditEntry>): NewAuditEntry
  write(overrides?: Partial<NewAuditEntry>): Promise<void>
  /** Writes entries on the objects 1 to `count`. */
  writeMany(count: number): Promise<void>
}

export function useAuditLog(): AuditLogInUse {
  let parts: IdentityFixture
  let owner: { readonly organizationId: number; readonly userId: number }
  beforeAll(async () => {
    parts = await identityFixture()
  })
  afterAll(() => parts?.close())
  beforeEach(async () => {
    ;({ owner } = await organization(parts))
  })

  const log: AuditLogInUse = {
    get parts() {
      return parts
    },
    get organizationId() {
      return owner.organizationId
    },
    get userId() {
      return owner.userId
    },
    entry: (overrides = {}) => ({
      organizationId: owner.organizationId,
      actor: { type: 'user', id: owner.userId },
      action: 'addMember',
      objectType: 'member',
      objectId: 12,
      from: '192.0.2.1',
      at: parts.clock.now(),
      details: { role: 'viewer' },
      ...overrides,
    }),
    write: (overrides) => inTransaction(parts.db, (tx) => appendAuditEntry(tx, log.entry(overrides))),
    async writeMany(count) {
      for (let objectId = 1; objectId <= count; objectId += 1) await log.write({ objectId })
    },
  }
  return log
}
