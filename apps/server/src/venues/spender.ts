/**
 * The contract that a supply approves to take the tokens: the pool, the Comet, or the vault. Null where no approval exists, because
 * the owner signs for the transfer itself.
 */
export function spenderOf(contracts: Readonly<Record<string, string>>): string | null {
  return 'program' in contracts ? null : (contracts.pool ?? contracts.comet ?? contracts.vault ?? null)
}
