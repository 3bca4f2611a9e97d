/** The wallet, strategy and token of an allocation or an operation, with their names. */
export interface Subject {
  readonly walletId: number
  readonly walletAddress: string
  readonly walletLabel: string | null
  readonly blockchain: string
  readonly strategyId: number
  readonly strategyName: string
  readonly venueName: string
  readonly protocol: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  /** Addresses of the protocol, by role. */
  readonly contracts: Readonly<Record<string, string>>
}

/** The columns that {@link subjectOf} reads. */
export const SUBJECT_COLUMNS = [
  'wallets.address',
  'wallets.label',
  'wallets.blockchain',
  'strategies.name as strategy_name',
  'strategies.protocol',
  'strategies.token',
  'strategies.token_address',
  'strategies.token_decimals',
  'strategies.params',
  'venues.name as venue_name',
] as const

interface SubjectRow {
  readonly wallet_id: number
  readonly address: string
  readonly label: string | null
  readonly blockchain: string
  readonly strategy_id: number
  readonly strategy_name: string
  readonly protocol: string
  readonly token: string
  readonly token_address: string
  readonly token_decimals: number
  readonly params: Readonly<Record<string, string>>
  readonly venue_name: string
}

export function subjectOf(row: SubjectRow): Subject {
  return {
    walletId: row.wallet_id,
    walletAddress: row.address,
    walletLabel: row.label,
    blockchain: row.blockchain,
    strategyId: row.strategy_id,
    strategyName: row.strategy_name,
    venueName: row.venue_name,
    protocol: row.protocol,
    token: row.token,
    tokenAddress: row.token_address,
    tokenDecimals: row.token_decimals,
    contracts: row.params,
  }
}
