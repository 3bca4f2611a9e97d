import type { KybStatus, RampDirection, RampRail, RampStatus, Transact, Tx } from '../../database/index.ts'
import type { PostalAddress } from '../customers/customer.ts'

/**
 * The banking partner and its verification of customers, as the rest of Weir sees them (contract 11). One of them stands
 * behind the service; which one it is, nothing outside its implementation knows.
 *
 * What a partner says arrives as events, each with an id and its place in the partner's own order. They may come twice,
 * late and out of order: {@link takeEvent} makes one history of them. Calls that change something at the partner carry an
 * `intent`, a text of ours: the same intent twice has one effect. None of them is made inside a database transaction.
 */
export interface RampProvider {
  /** Stands beside what came from it. */
  readonly name: string

  /** Begins to verify somebody. The customer fills in a form behind `link`. Error: RAMP_UNAVAILABLE. */
  startOnboarding(applicant: Applicant): Promise<Onboarding>
  /** What the partner says of one verification at this moment. Error: RAMP_UNAVAILABLE. */
  getOnboarding(reference: string): Promise<OnboardingEvent | undefined>

  /** A bank account of its own for whoever pays in. Errors: ASSET_NOT_SUPPORTED, RAMP_UNAVAILABLE. */
  openOnrampAccount(wish: AccountRequest): Promise<VirtualAccount>
  /** An address of its own on the wallet's chain; what arrives there is paid out. The same errors. */
  openOfframpAccount(wish: AccountRequest & { readonly bank: BankDetails }): Promise<PayoutAccount>

  /** What a payment costs and what comes out of it, as its record will say. */
  quote(asked: QuoteRequest): Promise<Quote>

  /** Events out of a message that claims to be the partner's. Error: UNAUTHORIZED unless it is proved to be. */
  readEvents(message: InboundMessage): Promise<readonly ProviderEvent[]>
  /** Tokens that are final at a deposit address. A partner that watches its addresses itself has nothing to say. */
  handleDeposit(tx: Tx, deposit: Deposit): Promise<readonly ProviderEvent[]>

  /** Where nothing is real: what the simulate endpoints do. */
  readonly simulator?: Simulator
  /** Work that is due; called again and again in one process at a time. */
  runDueWork?(take: (tx: Tx, event: ProviderEvent) => Promise<void>): Promise<void>
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
  /** Never used before, and never again: an account's number in our books. */
  readonly accountId: number
  readonly organizationId: number
  readonly kybReference: string
  readonly customerName: string
  /** Of organizations there is none. */
  readonly customerAddress?: PostalAddress | null
  readonly blockchain: string
  readonly asset: string
  readonly walletAddress: string
  readonly rail: RampRail
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

/** What an organization pays: basis points of the amount, of which a share is the developer's own. */
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
  /** Part of the fee. */
  readonly developerFeeCents: bigint
  /** What is left: `usdCents` is it and the fee, to the cent. */
  readonly netCents: bigint
  /** On-ramp: tokens for the net. Off-ramp: tokens for the whole amount. Base units. */
  readonly tokenAmount: bigint
  readonly exchangeRate: string
}

export interface InboundMessage {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

export interface Deposit {
  readonly organizationId: number
  readonly accountId: number
  readonly accountReference: string
  readonly blockchain: string
  readonly txHash: string
  /** Which of the transfers in that transaction. */
  readonly position: number
  readonly tokenAddress: string
  readonly asset: string
  readonly tokenDecimals: number
  /** Base units. */
  readonly amount: bigint
  /** Whole cents of it, and what they cost. */
  readonly quote: Quote
  readonly dust: bigint
  readonly rail: RampRail
  /** Whoever sent the tokens, or the account's wallet where nobody did: there they go when they are returned. */
  readonly returnTo: string
  /** Why it is to be rejected; null: it is paid out. */
  readonly rejection: DepositRejection | null
}

export type DepositRejection = 'unsupported_asset' | 'account_archived' | 'below_one_cent'

interface ProviderEventBase {
  readonly id: string
  /** What it is about, in the partner's words. */
  readonly subject: string
  /** Its place in the partner's order of what it says about that subject; rises, perhaps with gaps. */
  readonly sequence: number
}

export interface OnboardingEvent extends ProviderEventBase {
  readonly kind: 'onboarding'
  readonly status: KybStatus
}

export interface TransferEvent extends ProviderEventBase {
  readonly kind: 'transfer'
  readonly status: RampStatus
  readonly transfer: TransferSnapshot
}

export type ProviderEvent = OnboardingEvent | TransferEvent

/**
 * A payment as the partner knows it at the moment of an event. Its USD are those of the first event, for good; what they
 * cost, and so what they bring, may become known later, until it is settled.
 */
export interface TransferSnapshot {
  readonly direction: RampDirection
  readonly accountReference: string
  readonly quote: Quote
  /** The token that really moved. */
  readonly asset: string
  readonly tokenDecimals: number
  /** What is left of the tokens below a cent; base units. */
  readonly dust: bigint
  readonly rail: RampRail
  readonly paymentReference: string
  readonly txHash: string | null
  readonly returnTxHash: string | null
  readonly failureReason: string | null
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
  /** Between two steps. */
  readonly delayMs: number
}

export interface Simulator {
  /** Decides a verification. */
  decideOnboarding(tx: Tx, reference: string, status: 'approved' | 'declined'): Promise<OnboardingEvent>
  /** A payment that arrives at the bank, begun through `transact`. */
  payIn(simulated: SimulatedPayment, transact: Transact<StartedSimulation>): Promise<StartedSimulation>
  /** Tokens that are really sent to the account's deposit address. */
  deposit(simulated: SimulatedPayment, transact: Transact<StartedSimulation>): Promise<StartedSimulation>
}

export interface StartedSimulation {
  readonly simulationId: string
  readonly events: readonly ProviderEvent[]
}
