import type { Selectable } from 'kysely'
import type { Schema } from '../../database/index.ts'
import type { PostalAddress } from '../provider/port.ts'
import type { FieldOwner, FieldSealer } from '../sealing/sealed-fields.ts'

/** What is presented in place of a name that was erased. */
const ERASED_NAME = '[erased]'

/** The personal data of a customer. */
export interface CustomerFields {
  readonly name: string
  readonly externalId: string | null
  readonly address: PostalAddress | null
}

/** The columns of a customer's personal data: sealed, with empty plain-text columns. */
export function sealedCustomerColumns(fields: FieldSealer, owner: FieldOwner, customer: CustomerFields) {
  const { name, externalId, address } = customer
  return {
    name: '',
    sealed_name: fields.seal('sealed_name', owner, name),
    external_id: null,
    sealed_external_id: externalId === null ? null : fields.seal('sealed_external_id', owner, externalId),
    external_id_index: externalId === null ? null : fields.externalIdIndex(owner.organizationId, externalId),
    address: null,
    sealed_address: address === null ? null : fields.seal('sealed_address', owner, JSON.stringify(address)),
  }
}

/** A customer's name as stored, in a row or joined to one. */
export interface StoredName {
  readonly sealed_name: Buffer | null
  readonly name: string
}

export function openName(fields: FieldSealer, owner: FieldOwner, row: StoredName): string {
  return fields.open('sealed_name', owner, { sealed: row.sealed_name, clear: row.name }) ?? ERASED_NAME
}

/** The personal data of a row, opened. */
export function openCustomerFields(
  fields: FieldSealer,
  row: Selectable<Schema['ramp_customers']>,
): CustomerFields & { readonly kybLink: string } {
  const owner = { organizationId: row.organization_id, id: row.id }
  const clearAddress = row.address === null ? null : JSON.stringify(row.address)
  const address = fields.open('sealed_address', owner, { sealed: row.sealed_address, clear: clearAddress })
  return {
    name: openName(fields, owner, row),
    externalId: fields.open('sealed_external_id', owner, { sealed: row.sealed_external_id, clear: row.external_id }),
    address: address === null ? null : (JSON.parse(address) as PostalAddress),
    kybLink: fields.open('sealed_kyb_link', owner, { sealed: row.sealed_kyb_link, clear: row.kyb_link }) ?? '',
  }
}
