/** The resources of spec 2.3 and contract 3 and 6, as a client types them. */
export interface Wallet {
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly userId: string | null
  readonly orgMetadata: Readonly<Record<string, unknown>> | null
  readonly createdAt: string
}

export interface Balance {
  readonly token: string
  readonly tokenAddress: string
  readonly available: string
  readonly reserved: string
  readonly deployed: string
}

export interface WalletDetail extends Wallet {
  readonly walletProfileId: number
  readonly walletProfileName: string
  readonly balances: readonly Balance[]
}

export interface WalletList {
  readonly wallets: readonly Wallet[]
  readonly total: number
  readonly page: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

export interface Strategy {
  readonly strategyId: number
  readonly name: string
  readonly token: string
  readonly tokenAddress: string
  readonly apy: number
  readonly tvl: string | null
  readonly minDeposit: string | null
  readonly maxDeposit: string | null
  readonly status: string
  readonly supportsGasSponsorship: boolean
}

export interface Venue {
  readonly id: number
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly iconUrl: string | null
  readonly status: string
  readonly strategies: readonly Strategy[]
}

export interface VenueList {
  readonly venues: readonly Venue[]
  readonly count: number
  readonly strategyCount: number
}

export interface Allocation {
  readonly strategyId: number
  readonly strategyName: string
  readonly venueId: number
  readonly venueName: string
  readonly walletAddress: string
  readonly blockchain: string
  readonly token: string
  readonly tokenAddress: string
  readonly principal: string
  readonly currentValue: string
  readonly yieldEarned: string
  readonly apy: number
  readonly lastUpdated: string
}

export interface AllocationList {
  readonly allocations: readonly Allocation[]
  readonly totalValue: string
  readonly totalYieldEarned: string
}

export interface Transaction {
  readonly id: number
  readonly blockchain: string
  readonly status: string
  readonly unsignedTransaction?: string
  readonly description: string
  readonly txHash?: string
  readonly confirmations?: number
  readonly blockNumber?: number
  readonly error?: string
  readonly failureCode?: string
  readonly revertReason?: string
}

export interface Operation {
  readonly operationId: number
  readonly type: string
  readonly status: string
  readonly transactions: readonly Transaction[]
  readonly expiresAt: string
  readonly cancelledOperations?: readonly number[]
  readonly walletId: number
  readonly strategyId: number
  readonly amount: string | null
  /** What moved on chain, in base units; null until it is confirmed. */
  readonly settledAmount?: string | null
  readonly leftAllowance?: {
    readonly spender: string
    readonly amount: string
    readonly revocation: { readonly to: string; readonly data: string }
  }
  readonly failureReason?: string
  readonly createdAt: string
  readonly updatedAt: string
}

export interface OperationList {
  readonly operations: readonly Operation[]
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly hasMore: boolean
}

export interface Submitted {
  readonly id: number
  readonly operationId: number
  readonly status: string
  readonly txHash: string
}

export interface Network {
  readonly blockchain: string
  readonly chainId: number
  readonly rpcUrl: string
  readonly tokens: readonly { readonly symbol: string; readonly address: string; readonly decimals: number }[]
}

/** The envelope of the core surface. */
export interface Data<T> {
  readonly success: true
  readonly data: T
}

export interface Session {
  readonly accessToken: string
  readonly tokenType: string
  readonly expiresIn: number
  readonly refreshToken: string
  readonly user: { readonly id: number; readonly email: string; readonly name: string | null; readonly role: string }
  readonly organization: { readonly id: number; readonly name: string }
}

export interface GeneratedKey {
  readonly id: number
  readonly apiKey: string
  readonly name: string
  readonly createdAt: string
}

export interface Profile {
  readonly id: number
  readonly name: string
  readonly enabledChains: readonly string[]
  readonly operationTimeoutSeconds: number
  readonly createdAt: string
}
