/**
 * The contract that a supply approves to take the tokens: the pool, or the vault. Null where no approval exists, because
 * the owner signs for the transfer itself.
 */
export function spenderOf(contracts: Readonly<Record<string, string>>): string | null {
  return 'program' in contracts ? null : (contracts.pool ?? contracts.vault ?? null)
}
