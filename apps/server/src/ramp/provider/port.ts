import type { KybStatus, RampDirection, RampRail, RampStatus, Transact, Tx } from '../../database/index.ts'
import type { Actor } from '../../identity/index.ts'

/**
 * The port to the banking partner, including customer verification (contract 11). One implementation is configured; no
 * other code knows which.
 *
 * The partner reports changes as events, each with an id and a sequence number in the partner's own order. Events may
 * arrive twice, late and out of order; `applyProviderEvent` turns them into one history. Calls that change something at
 * the partner carry an `intent` chosen by us: the same intent has one effect. Calls are never made inside a database
 * transaction.
 */
export interface RampProvider {
  /** Name of the provider, stored with its events. */
  readonly name: string

  /** Starts a verification. The customer fills in the form at `link`. Error: RAMP_UNAVAILABLE. */
  startOnboarding(applicant: Applicant): Promise<Onboarding>
  /** Fetches the current status of a verification. Error: RAMP_UNAVAILABLE. */
  getOnboarding(reference: string): Promise<OnboardingEvent | undefined>

  /** Opens a bank account for payments in. Errors: ASSET_NOT_SUPPORTED, RAMP_UNAVAILABLE. */
  openOnrampAccount(request: AccountRequest): Promise<VirtualAccount>
  /** Opens a deposit address on the wallet's chain whose tokens are paid out. The same errors. */
  openOfframpAccount(request: AccountRequest & { readonly bank: BankDetails }): Promise<PayoutAccount>

  /** The cost and the net amount of a payment, equal to its later record. */
  quote(request: QuoteRequest): Promise<Quote>

  /** Verifies a message and returns its events. Error: UNAUTHORIZED if it is not from the partner. */
  readEvents(message: InboundMessage): Promise<readonly ProviderEvent[]>
  /** Whether the partner watches its addresses itself: deposits there wait for nobody. */
  readonly watchesAddresses?: boolean
  /** Handles a final deposit at a deposit address. Without it, deposits wait, unless the partner watches its addresses. */
  handleDeposit?(tx: Tx, deposit: Deposit): Promise<readonly ProviderEvent[]>

  /** Sandbox only: backs the simulate endpoints. */
  readonly simulator?: Simulator
  /** Runs due background work; called periodically, in one process at a time. */
  runDueWork?(apply: (tx: Tx, event: ProviderEvent) => Promise<void>): Promise<void>
}

export interface Applicant {
  readonly intent: string
  readonly organizationId: number
  readonly kind: 'organization' | 'recipient'
  readonly name: string
  readonly type: string
}

export interface Onboarding {
  readonly reference: string
  /** Absolute, or a path of this service. */
  readonly link: string
}

export interface AccountRequest {
  /** Our account id; never reused. */
  readonly accountId: number
  readonly organizationId: number
  readonly kybReference: string
  readonly customerName: string
  /** Recipients only. */
  readonly customerAddress?: PostalAddress | null
  readonly blockchain: string
  readonly asset: string
  readonly walletAddress: string
  readonly rail: RampRail
}

/** Where a recipient lives; `country` is always there. */
export interface PostalAddress {
  readonly street1: string
  readonly street2?: string
  readonly city: string
  readonly region?: string
  readonly postal_code?: string
  readonly country: string
}

export interface VirtualAccount {
  readonly reference: string
  readonly accountNumber: string
  readonly routingNumber: string
  readonly bankName: string
  readonly capabilities: readonly RampRail[]
}

export interface BankDetails {
  readonly routingNumber: string
  readonly accountNumber: string
  readonly accountType: 'checking' | 'savings'
  readonly holderName: string
  readonly bankName: string
}

export interface PayoutAccount {
  readonly reference: string
  readonly depositAddress: string
}

/** An organization's fee in basis points of the amount, and the developer's share in basis points of the fee. */
export interface FeeTerms {
  readonly feeBasisPoints: number
  readonly developerShareBasisPoints: number
}

export interface QuoteRequest {
  readonly direction: RampDirection
  readonly usdCents: bigint
  readonly tokenDecimals: number
  readonly terms: FeeTerms
}

export interface Quote {
  readonly usdCents: bigint
  readonly feeCents: bigint
  /** The developer's share of the fee. */
  readonly developerFeeCents: bigint
  /** Amount after fees: `usdCents` = `netCents` + `feeCents`. */
  readonly netCents: bigint
  /** On-ramp: tokens for the net amount. Off-ramp: tokens for the gross amount. Base units. */
  readonly tokenAmount: bigint
  readonly exchangeRate: string
}

export interface InboundMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface Deposit {
  /** Our id of the deposit; never reused, while a chain that lost its history can repeat a hash. */
  readonly depositId: number
  readonly organizationId: number
  readonly accountId: number
  readonly accountReference: string
  readonly blockchain: string
  readonly txHash: string
  /** Index of the transfer in its transaction. */
  readonly position: number
  readonly tokenAddress: string
  readonly asset: string
  readonly tokenDecimals: number
  /** Base units. */
  readonly amount: bigint
  /** Quote for the whole cents of the amount. */
  readonly quote: Quote
  readonly dust: bigint
  readonly rail: RampRail
  /** Where tokens are returned to, never a deposit address: their sender, or the account's wallet. Null: they stay. */
  readonly returnTo: string | null
  /** Why the deposit is rejected; null if it is paid out. */
  readonly rejection: DepositRejection | null
}

export type DepositRejection = 'unsupported_asset' | 'account_archived' | 'below_one_cent'

interface ProviderEventBase {
  readonly id: string
  /** The partner's reference of the object. */
  readonly subject: string
  /** Order of the event among those of its subject; increases, possibly with gaps. */
  readonly sequence: number
}

export interface OnboardingEvent extends ProviderEventBase {
  readonly kind: 'onboarding'
  readonly status: KybStatus
  /** The status as it was read, which may be the one before our restart; otherwise the partner reported a change. */
  readonly isReading?: boolean
}

export interface TransferEvent extends ProviderEventBase {
  readonly kind: 'transfer'
  /** Of a payout that came back: `failed`, or `reversed` if the provider says that the bank had been paid. */
  readonly status: RampStatus
  /** A payout came back: it is `reversed`, whatever `status` says, if it was `completed` here when the event is applied. */
  readonly cameBack?: boolean
  readonly transfer: TransferSnapshot
}

export type ProviderEvent = OnboardingEvent | TransferEvent

/**
 * A payment at the time of an event. The USD amount is fixed by the first event; fees, and so the net amount, may change
 * until the payment is settled.
 */
export interface TransferSnapshot {
  readonly direction: RampDirection
  readonly accountReference: string
  readonly quote: Quote
  /** The token that actually moved. */
  readonly asset: string
  readonly tokenDecimals: number
  /** The remainder of the tokens below one cent; base units. */
  readonly dust: bigint
  readonly rail: RampRail
  readonly paymentReference: string
  readonly txHash: string | null
  readonly returnTxHash: string | null
  readonly failureReason: string | null
  /** Who simulated it; absent for real payments. */
  readonly createdBy?: Actor
}

export const SCENARIOS = ['success', 'failed', 'rejected', 'reversed'] as const
export type Scenario = (typeof SCENARIOS)[number]

export interface SimulatedPayment {
  readonly organizationId: number
  readonly accountId: number
  readonly accountReference: string
  readonly blockchain: string
  readonly tokenAddress: string
  readonly asset: string
  readonly rail: RampRail
  readonly tokenDecimals: number
  /** The account's wallet. */
  readonly walletAddress: string
  readonly depositAddress: string | null
  readonly quote: Quote
  readonly scenario: Scenario
  readonly createdBy?: Actor
  /** Delay between steps. */
  readonly delayMs: number
}

export interface Simulator {
  /** Decides a verification. */
  decideOnboarding(tx: Tx, reference: string, status: 'approved' | 'declined'): Promise<OnboardingEvent>
  /** Simulates a payment to the bank; starts it through `transact`. */
  payIn(simulated: SimulatedPayment, transact: Transact<StartedSimulation>): Promise<StartedSimulation>
  /** Sends real tokens to the account's deposit address. */
  deposit(simulated: SimulatedPayment, transact: Transact<StartedSimulation>): Promise<StartedSimulation>
}

export interface StartedSimulation {
  readonly simulationId: string
  readonly events: readonly ProviderEvent[]
}
