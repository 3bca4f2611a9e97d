import type { Selectable } from 'kysely'
import type { Schema } from '../../database/index.ts'
import { Failure, UNREADABLE } from '../../kernel/index.ts'
import type { PostalAddress } from '../provider/port.ts'
import type { FieldOwner, FieldSealer, StoredField } from '../sealing/sealed-fields.ts'

/** What is presented in place of a name that was erased. */
const ERASED_NAME = '[erased]'

/** The personal data of a customer. */
export interface CustomerFields {
  readonly name: string
  readonly externalId: string | null
  readonly address: PostalAddress | null
}

type StoredCustomer = Selectable<Schema['ramp_customers']>

/** A personal field, or the link to the form of a customer. */
export type CustomerField = keyof CustomerFields | 'kybLink'

/** The columns of a customer's personal data: sealed, with empty plain-text columns. */
export function sealedCustomerColumns(fields: FieldSealer, owner: FieldOwner, customer: CustomerFields) {
  return {
    ...sealedNameColumns(fields, owner, customer),
    ...sealedExternalIdColumns(fields, owner, customer),
    ...sealedAddressColumns(fields, owner, customer),
  }
}

export function sealedNameColumns(fields: FieldSealer, owner: FieldOwner, { name }: Pick<CustomerFields, 'name'>) {
  return { name: '', sealed_name: fields.seal('sealed_name', owner, name) }
}

export function sealedExternalIdColumns(
  fields: FieldSealer,
  owner: FieldOwner,
  { externalId }: Pick<CustomerFields, 'externalId'>,
) {
  return {
    external_id: null,
    sealed_external_id: externalId === null ? null : fields.seal('sealed_external_id', owner, externalId),
    external_id_index: externalId === null ? null : fields.externalIdIndex(owner.organizationId, externalId),
  }
}

export function sealedAddressColumns(
  fields: FieldSealer,
  owner: FieldOwner,
  { address }: Pick<CustomerFields, 'address'>,
) {
  return {
    address: null,
    sealed_address: address === null ? null : fields.seal('sealed_address', owner, JSON.stringify(address)),
  }
}

/** A customer's name as stored, in a row or joined to one. */
export interface StoredName {
  readonly sealed_name: Buffer | null
  readonly name: string
}

/** A customer's name for readers; null if it does not open. */
export function readName(fields: FieldSealer, owner: FieldOwner, row: StoredName): string | null {
  const name = fields.read('sealed_name', owner, { sealed: row.sealed_name, clear: row.name })
  return name === undefined ? null : (name ?? ERASED_NAME)
}

/** Where each field is in a row. */
function storedFields(row: StoredCustomer) {
  const clearAddress = row.address === null ? null : JSON.stringify(row.address)
  return {
    name: ['sealed_name', { sealed: row.sealed_name, clear: row.name }],
    externalId: ['sealed_external_id', { sealed: row.sealed_external_id, clear: row.external_id }],
    address: ['sealed_address', { sealed: row.sealed_address, clear: clearAddress }],
    kybLink: ['sealed_kyb_link', { sealed: row.sealed_kyb_link, clear: row.kyb_link }],
  } as const satisfies Record<CustomerField, readonly [string, StoredField<string | null>]>
}

/** The personal data of a row, opened. Throws if a field does not open. */
export function openCustomerFields(
  fields: FieldSealer,
  row: StoredCustomer,
): CustomerFields & { readonly kybLink: string } {
  const owner = { organizationId: row.organization_id, id: row.id }
  const stored = storedFields(row)
  const address = fields.open(stored.address[0], owner, stored.address[1])
  return {
    name: fields.open(stored.name[0], owner, stored.name[1]) ?? ERASED_NAME,
    externalId: fields.open(stored.externalId[0], owner, stored.externalId[1]),
    address: addressOf(address),
    kybLink: fields.open(stored.kybLink[0], owner, stored.kybLink[1]) ?? '',
  }
}

/**
 * The same for readers. A name or an external id that does not open is `[unreadable]`, an address null, and a link empty;
 * `unreadable` names them.
 */
export function readCustomerFields(
  fields: FieldSealer,
  row: StoredCustomer,
): CustomerFields & { readonly kybLink: string; readonly unreadable?: readonly CustomerField[] } {
  const owner = { organizationId: row.organization_id, id: row.id }
  const stored = storedFields(row)
  const unreadable: CustomerField[] = []
  const read = (field: CustomerField, placeholder: string | null): string | null => {
    const text = fields.read(stored[field][0], owner, stored[field][1])
    if (text !== undefined) return text
    unreadable.push(field)
    return placeholder
  }
  const opened = {
    name: read('name', UNREADABLE) ?? ERASED_NAME,
    externalId: read('externalId', UNREADABLE),
    address: addressOf(read('address', null)),
    kybLink: read('kybLink', '') ?? '',
  }
  return unreadable.length === 0 ? opened : { ...opened, unreadable }
}

const addressOf = (text: string | null): PostalAddress | null =>
  text === null ? null : (JSON.parse(text) as PostalAddress)

/** Before something acts on these fields. Error: INTERNAL_ERROR if one of them does not open. */
export function requireReadable(
  { customerId, unreadable = [] }: { readonly customerId: number; readonly unreadable?: readonly CustomerField[] },
  needed: readonly CustomerField[],
): void {
  const missing = needed.filter((field) => unreadable.includes(field))
  if (missing.length === 0) return
  throw new Failure('INTERNAL_ERROR', { cause: new Error(`${missing} of customer ${customerId} does not open`) })
}
