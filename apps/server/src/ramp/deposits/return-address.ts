import type { Database } from '../../database/index.ts'

interface ReturnedDeposit {
  readonly blockchain: string
  /** Null if it is not certain. */
  readonly sender: string | null
  /** That of the account. */
  readonly wallet_address: string
}

/**
 * Where the tokens of a deposit are returned to: their sender, or the account's wallet. Never a deposit address, of any
 * organization: what arrives there may be returned in its turn, without end, or be paid out to somebody else. Null if both
 * are such addresses: the tokens stay.
 */
export async function returnAddressOf(
  db: Database,
  { blockchain, sender, wallet_address: wallet }: ReturnedDeposit,
): Promise<string | null> {
  const wanted = sender === null ? [wallet] : [sender, wallet]
  const rows = await db
    .selectFrom('ramp_accounts')
    .select('deposit_address')
    .where('blockchain', '=', blockchain)
    .where('deposit_address', 'in', wanted)
    .execute()
  const taken = new Set(rows.map(({ deposit_address: address }) => address))
  return wanted.find((address) => !taken.has(address)) ?? null
}
