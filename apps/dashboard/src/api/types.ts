/** The parts of responses that the pages read; `/openapi.json` describes all of them. */
export interface Pagination {
  readonly total: number
  readonly limit: number
  readonly offset: number
}
export interface Actor {
  readonly type: 'user' | 'key' | 'system'
  readonly id: number | null
  readonly name?: string | null
}
export interface OperationalWallet {
  readonly id: number
  readonly enableYield: boolean
  readonly bufferAmount: string
  readonly orgWalletId: number
  readonly address: string
  readonly blockchain: string
  readonly token: string
  readonly availableBalance: string
  readonly reservedBalance: string
  readonly deployedBalance: string
  readonly totalBalance: string
  readonly createdAt: string
  readonly updatedAt: string
}
export interface OrgWallet {
  readonly id: number
  readonly address: string
  readonly blockchain: string
  readonly label: string
  readonly custodyProvider: string
  readonly createdAt: string
}
export interface OperationItem {
  readonly id: number
  readonly type: 'SUPPLY' | 'UNWIND'
  readonly status: string
  readonly opWalletId: number | null
  readonly amount: string
  readonly token: string
  readonly executor: 'agent' | 'client'
  readonly origin: 'rebalancer' | 'explicit' | 'client'
  readonly requestedBy?: Actor | null
  readonly createdAt: string
  readonly completedAt?: string | null
  readonly txHash?: string | null
  readonly estimatedAPY?: string
  readonly failureReason?: string | null
}
interface DualTime {
  readonly iso: string
}
export interface OperationDetail {
  readonly id: number
  readonly type: string
  readonly status: string
  readonly opWalletId: number | null
  readonly opWallet: { readonly address: string; readonly blockchain: string }
  readonly walletId: number
  readonly token: { readonly symbol: string; readonly decimals: number; readonly mintAddress: string }
  readonly amount: { readonly amount: string; readonly currency: string }
  readonly strategy: { readonly id: number; readonly name: string; readonly estimatedAPY: string }
  readonly steps: readonly {
    readonly id: number
    readonly type: string
    readonly status: string
    readonly error?: string
    readonly provider: { readonly name: string }
  }[]
  readonly blockchainTransactions: readonly {
    readonly id: number
    readonly txHash: string
    readonly type: string
    readonly status: string
    readonly timestamps: { readonly detectedAt: DualTime | null; readonly confirmedAt: DualTime | null }
  }[]
  readonly executor: string
  readonly origin: string
  readonly requestedBy?: Actor | null
  readonly reasons: {
    readonly why: string
    readonly policy: string
    readonly worth: string
    readonly weighed?: readonly {
      readonly strategyId: number
      readonly name: string
      readonly apy: string
      readonly gain: string
      readonly verdict: string
    }[]
    readonly notes?: readonly string[]
  } | null
  readonly requiredApprovals: number
  readonly approvalRule: string | null
  readonly pausedBecause: string | null
  readonly failureReason: string | null
  readonly timestamps: {
    readonly createdAt: DualTime
    readonly approvedAt: DualTime | null
    readonly rejectedAt: DualTime | null
    readonly completedAt: DualTime | null
  }
}
export interface CoreAllocation {
  readonly id: number
  readonly opWalletId: number | null
  readonly strategyId: number
  readonly token: string
  readonly protocol: string
  readonly venue: string
  readonly allocatedBase: string
  readonly currentValue: string
  readonly yieldEarned: string
  readonly apy: string
  readonly status: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
}
export interface AllocationPage {
  readonly allocations: readonly CoreAllocation[]
  readonly portfolioSummary: {
    readonly totalDeployed: string
    readonly totalValue: string
    readonly totalYieldEarned: string
    readonly averageAPY: string
    readonly activeAllocations: number
  }
  readonly pagination: Pagination
}
export interface RebalancePreview {
  readonly token: string
  readonly enableYield: boolean
  readonly bufferAmount: string
  readonly availableBalance: string
  readonly excess: string
  readonly shortfall: string
  readonly held: string
  readonly moves: readonly {
    readonly type: string
    readonly from: { readonly name: string }
    readonly to: { readonly name: string }
    readonly amount: string
    readonly reason: string
  }[]
  readonly notes: readonly string[]
  readonly strategies: readonly {
    readonly strategyId: number
    readonly name: string
    readonly apy: string
    readonly gain: string
    readonly verdict: string
  }[]
  readonly waitsForOperationId: number | null
  readonly pausedUntil: string | null
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
}
export interface Venue {
  readonly id: number
  readonly name: string
  readonly protocol: string
  readonly blockchain: string
  readonly status: string
  readonly strategies: readonly Strategy[]
}
