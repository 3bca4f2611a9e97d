/** The sealed columns of personal and bank data, by table. The columns in clear have the same names without `sealed_`. */
export const SEALED_FIELDS = {
  ramp_customers: ['sealed_name', 'sealed_external_id', 'sealed_address', 'sealed_kyb_link'],
  ramp_accounts: ['sealed_bank_name', 'sealed_routing_number', 'sealed_account_holder'],
} as const

export const PERSONAL_DATA = 'personal data'

export type SealedField = (typeof SEALED_FIELDS)[keyof typeof SEALED_FIELDS][number]

/** Binds a sealed field to its column, organization and row: copied elsewhere, it does not open. */
export function labelOfField(
  column: SealedField,
  row: { readonly organizationId: number; readonly id: number },
): string {
  return `${column} ${row.organizationId}/${row.id}`
}
