import {
  blindIndex,
  createSealer,
  Failure,
  type KeyRing,
  type RandomSource,
  reportingSealer,
  type Sealer,
  type UnreadableValues,
} from '../../kernel/index.ts'

/**
 * The sealed columns of personal and bank data, by table. The plain-text columns have the same names without `sealed_`.
 */
export const SEALED_FIELDS = {
  ramp_customers: ['sealed_name', 'sealed_external_id', 'sealed_address', 'sealed_kyb_link'],
  ramp_accounts: ['sealed_bank_name', 'sealed_routing_number', 'sealed_account_holder'],
} as const

export const PERSONAL_DATA = 'personal data'

export type SealedField = (typeof SEALED_FIELDS)[keyof typeof SEALED_FIELDS][number]

/** A row of a table with sealed fields. */
export interface FieldOwner {
  readonly organizationId: number
  readonly id: number
}

/** Binds a sealed field to its column, organization and row: copied elsewhere, it does not open. */
export function labelOfField(column: SealedField, { organizationId, id }: FieldOwner): string {
  return `${column} ${organizationId}/${id}`
}

/** A field as stored: sealed, or in plain text in a row of an earlier version. */
export interface StoredField<Clear> {
  readonly sealed: Uint8Array | null
  readonly clear: Clear
}

/** Seals the personal and bank data of this room by field, and opens it where it is presented. */
export interface FieldSealer {
  seal(column: SealedField, owner: FieldOwner, text: string): Buffer
  /**
   * Null if the field has no value. Once every row is sealed, a plain-text value is refused as INTERNAL_ERROR: somebody
   * else wrote it.
   */
  open(column: SealedField, owner: FieldOwner, stored: StoredField<string | null>): string | null
  /** The same for readers, whom one damaged field must not keep from the others: `undefined` if it does not open. */
  read(column: SealedField, owner: FieldOwner, stored: StoredField<string | null>): string | null | undefined
  /** Finds an external id within its organization. */
  externalIdIndex(organizationId: number, externalId: string): Buffer
  /** Whether rows of earlier versions may still hold plain-text values. */
  readonly acceptsClear: boolean
  /** Seals the personal fields of an event. */
  readonly events: Sealer
}

export interface FieldSealerOptions {
  readonly encryptionKeys: KeyRing | string
  /** Keys the blind indexes; 64 hexadecimal digits. */
  readonly indexKey: string
  readonly random: RandomSource
  readonly acceptsClear?: boolean
  /** Learns of fields that do not open. */
  readonly unreadable?: Pick<UnreadableValues, 'report'> | undefined
}

export function createFieldSealer(options: FieldSealerOptions): FieldSealer {
  const { encryptionKeys, indexKey, random, acceptsClear = true, unreadable } = options
  const sealer = reportingSealer(createSealer(encryptionKeys, PERSONAL_DATA, random), unreadable)
  const open: FieldSealer['open'] = (column, owner, { sealed, clear }) => {
    const label = labelOfField(column, owner)
    if (sealed !== null) return sealer.open(sealed, label)
    if (clear === null || clear === '') return null
    if (acceptsClear) return clear
    const cause = new Error(`${label} is in plain text, although every row was sealed`)
    unreadable?.report(label, cause)
    throw new Failure('INTERNAL_ERROR', { cause })
  }
  return {
    acceptsClear,
    events: createSealer(encryptionKeys, 'events', random),
    seal: (column, owner, text) => sealer.seal(text, labelOfField(column, owner)),
    open,
    read(column, owner, stored) {
      try {
        return open(column, owner, stored)
      } catch {
        return undefined
      }
    },
    externalIdIndex: (organizationId, externalId) =>
      blindIndex(indexKey, `ramp_customers.external_id ${organizationId}`, externalId),
  }
}
