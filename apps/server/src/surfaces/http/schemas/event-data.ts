import Type, { type TSchema } from 'typebox'
import { blockchain, dateTime, orNull } from './fields.ts'
import { id } from './ids.ts'
import { rampTransactionFields } from './ramp-transaction.ts'

/** The exact `data` of each event (contract 12). Only the document shows them: what is sent is what was stored. */

const token = Type.String({ description: 'Token symbol.' })
const opWallet = {
  opWalletId: orNull(id('Operational wallet id; null if the wallet is not operational for this token.')),
  managedWalletId: orNull(id('Alias of opWalletId.')),
  walletId: id('Wallet id.'),
}
const amount = (description: string) =>
  Type.String({ pattern: '^-?[0-9]+\\.[0-9]{2,}$', description: `${description} Decimal.` })

const baseUnits = (description: string) =>
  Type.String({ pattern: '^[0-9]+$', description: `${description} Base units.` })

const ClientOperation = Type.Object(
  {
    type: Type.Enum(['supply', 'unwind'], { description: 'Type of the operation on v1.' }),
    status: Type.Enum(['PENDING', 'AWAITING_SIGNATURE', 'SUBMITTED', 'CONFIRMED', 'FAILED'], {
      description: 'Status of the operation on v1 (spec 3.2).',
    }),
    amount: orNull(baseUnits('The same amount.')),
    revokesAllowance: Type.Optional(baseUnits('The same allowance.')),
  },
  { $id: 'OperationEventOfClient', description: 'The operation in the words of v1.' },
)

const OperationEventData = Type.Object(
  {
    operationId: id('Operation id.'),
    type: Type.Enum(['SUPPLY', 'UNWIND'], { $id: 'CoreOperationType', description: 'Type of the operation.' }),
    status: Type.Enum(
      ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING', 'COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'],
      { description: 'Status of the operation on core (spec 3.1).' },
    ),
    ...opWallet,
    blockchain,
    token,
    amount: orNull(
      amount(
        'Amount: of a whole position its value when it was planned, until the settled amount is known. Null only if it was planned before that value was stored.',
      ),
    ),
    revokesAllowance: Type.Optional(
      amount('Only if the operation moves nothing and revokes this allowance, which an ended supply left.'),
    ),
    txHash: Type.Optional(Type.String({ description: 'Hash of its last transaction, once known.' })),
    failureReason: Type.Optional(Type.String({ description: 'Why the operation ended without success.' })),
    failureCode: Type.Optional(Type.String({ description: 'Reason for the failure on chain.' })),
    // Optional: events of earlier versions are listed as they were.
    strategyId: Type.Optional(id('Strategy id.')),
    tokenAddress: Type.Optional(Type.String({ description: 'Token contract address.' })),
    v1: Type.Optional(ClientOperation),
  },
  { $id: 'OperationEventData', description: 'The operation when the event occurred.' },
)

const AllocationEventData = Type.Object(
  {
    allocationId: id('Allocation id.'),
    ...opWallet,
    strategyId: id('Strategy id.'),
    blockchain,
    token,
    protocol: Type.String({ description: 'Protocol of the venue.' }),
    venue: Type.String({ description: 'Name of the venue.' }),
    principal: amount('Amount deposited and not yet withdrawn.'),
    realizedYield: amount('Yield of what was withdrawn.'),
    amount: Type.Optional(
      amount('Only of `allocation.loss_booked` and `allocation.fee_booked`: how much was lost or paid.'),
    ),
  },
  { $id: 'AllocationEventData', description: 'The allocation when the event occurred.' },
)

const CustomerEventData = Type.Object(
  {
    customer_id: orNull(id('Recipient id; null for the organization itself.')),
    name: orNull(Type.String({ description: 'Name of the recipient or the organization; null once erased.' })),
  },
  { $id: 'CustomerEventData', description: 'Whose verification was decided.' },
)

const RampTransactionEventData = Type.Object(
  {
    ...rampTransactionFields,
    transaction_id: id('The same as `id`.'),
    customer_id: orNull(id('Recipient id; null for the organization itself.')),
  },
  { $id: 'RampTransactionEventData', description: 'The ramp transaction when the event occurred.' },
)

const WebhookTestData = Type.Object(
  {
    webhookEndpointId: id('Webhook id.'),
    url: Type.String({ description: 'URL of the webhook.' }),
    message: Type.String({ description: 'Human-readable message.' }),
  },
  { $id: 'WebhookTestEventData', description: 'The webhook that is tested.' },
)

const WebhookDisabledData = Type.Object(
  {
    webhookEndpointId: id('Webhook id.'),
    url: Type.String({
      description: 'Origin of its URL, such as https://hooks.example.com: a path may hold a secret.',
    }),
    failingSince: orNull(dateTime('The first failure since the last success.')),
    disabledAt: dateTime('When it was disabled.'),
  },
  { $id: 'WebhookDisabledEventData', description: 'The webhook that was disabled.' },
)

const BreakerEventData = Type.Object(
  {
    strategyId: id('Strategy id.'),
    strategy: Type.String({ description: 'Name of the strategy.' }),
    breaker: Type.Enum(['price_fall', 'depeg', 'illiquidity', 'upgrade'], { description: 'Kind of the breaker.' }),
    state: Type.Enum(['closed', 'open', 'recovering', 'accepted'], { description: 'State of the breaker.' }),
    measure: orNull(
      Type.String({ description: 'What was measured, a percentage; null for an upgrade.', examples: ['3.00'] }),
    ),
    observation: Type.Optional(
      orNull(
        Type.String({
          description: 'What an acceptance of this fact names; null if a previous version opened the breaker.',
          examples: ['3.00'],
        }),
      ),
    ),
    reason: Type.Optional(Type.String({ description: 'Why it opened, as a text for people.' })),
  },
  {
    $id: 'BreakerEventData',
    description: 'A circuit breaker that opened or closed, or one that is open and whose fact became worse.',
  },
)

const BreakEventData = Type.Object(
  {
    breakId: id('Break id.'),
    walletId: id('Wallet id.'),
    walletAddress: Type.String({ description: 'Address of the wallet.' }),
    blockchain,
    tokenAddress: Type.String({ description: 'Address of the token.' }),
    amountBaseUnits: Type.String({
      pattern: '^[0-9]+$',
      description: 'Base units that the ledger shows and the chain does not; for a closed break, the last amount.',
    }),
  },
  { $id: 'BreakEventData', description: 'The break when the event occurred.' },
)

const ExitEventData = Type.Object(
  {
    exitId: id('Exit id.'),
    opWalletId: orNull(id('Operational wallet id; null if the wallet is not operational for the token.')),
    managedWalletId: orNull(id('The same as `opWalletId`.')),
    walletId: id('Wallet id.'),
    strategyId: id('Strategy id.'),
    strategy: Type.String({ description: 'Name of the strategy.' }),
    blockchain,
    token: Type.String({ description: 'Token symbol.' }),
    pending: Type.String({ description: 'What waits, decimal.' }),
    claimable: Type.String({ description: 'What can be claimed, decimal.' }),
    claimed: Type.String({ description: 'What was claimed so far, decimal.' }),
    claimableAt: orNull(dateTime('When all of it can be claimed; null if the protocol does not say.')),
  },
  { $id: 'ExitEventData', description: 'The exit when the event occurred.' },
)

/** The names of each kind of event, with the schema of its data. */
export const EVENT_KINDS: readonly { readonly kind: string; readonly names: RegExp; readonly data: TSchema }[] = [
  { kind: 'Operation', names: /^operation\./, data: OperationEventData },
  { kind: 'Allocation', names: /^allocation\./, data: AllocationEventData },
  { kind: 'Customer', names: /^customer\./, data: CustomerEventData },
  { kind: 'RampTransaction', names: /^(offramp_)?transaction\./, data: RampTransactionEventData },
  { kind: 'WebhookTest', names: /^webhook\.test$/, data: WebhookTestData },
  { kind: 'WebhookDisabled', names: /^webhook\.disabled$/, data: WebhookDisabledData },
  { kind: 'Breaker', names: /^strategy\.breaker_/, data: BreakerEventData },
  { kind: 'Break', names: /^break\./, data: BreakEventData },
  { kind: 'Exit', names: /^exit\./, data: ExitEventData },
]
