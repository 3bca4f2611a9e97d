import Type from 'typebox'
import { type AgentParts, createTransactionPolls, renewLease } from '../../../agents/index.ts'
import {
  AGENT_ERROR_LENGTH_MAX,
  formatDecimal,
  SIGNED_TRANSACTION_BYTES_MAX,
  validationError,
} from '../../../kernel/index.ts'
import {
  type AgentReport,
  broadcastForAgent,
  getOperationView,
  type IssuedBytes,
  type Lease,
  type OperationView,
  reportFailed,
  reportSubmitted,
} from '../../../operations/index.ts'
import { type App, envelope, id, idParams, keyCredentialOf, ok, runVerb } from '../../http/index.ts'
import { decimal, opWalletFields, orNull, presentOpWalletIds, STEP_TYPES, StepType } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { leaseDurationMs, leaseToken, pollBody, pollOptionsOf } from './leases.ts'

const AgentTransaction = Type.Object(
  {
    id: id('Transaction id; on Solana the memo carries it.'),
    operationId: id('Operation that it belongs to.'),
    unsignedTx: Type.String({ description: 'Unsigned bytes: hex on EVM chains, base64 on Solana.' }),
    metadata: Type.Object(
      {
        blockchain: Type.String({ description: 'Chain, in lower case.' }),
        walletId: id('Wallet id.'),
        walletAddress: Type.String({ description: 'The wallet: it signs, pays, and alone receives what comes of it.' }),
        ...opWalletFields,
        amount: decimal("The operation's amount; of a whole position what it is worth now."),
        full: Type.Boolean({ description: 'Whether the whole position is withdrawn: the amount is an estimate then.' }),
        token: Type.String({ description: 'Token symbol.' }),
        type: Type.Enum(['SUPPLY', 'UNWIND'], { description: 'Of the operation, also for its approval.' }),
        step: StepType,
        venue: Type.String({ description: 'Display name of the venue.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
        description: Type.String({ description: 'For people.' }),
      },
      { description: 'What the bytes are for: verify them against it before you sign.' },
    ),
    claimedAt: dateTime('When the lease began.'),
    leaseExpiresAt: dateTime('When the lease ends.'),
    leaseToken: Type.String({ description: 'Shows that the lease is yours, to report and to renew.' }),
  },
  { $id: 'AgentTransaction', description: 'A transaction that waits for your signature, leased to you.' },
)

const Polled = Type.Object(
  { transaction: orNull(AgentTransaction, 'The oldest transaction that can be handed out; null when there is none.') },
  { $id: 'AgentTransactionPoll', description: 'What there is to sign.' },
)

const Reported = Type.Object(
  {
    id: id('Transaction id.'),
    status: Type.Enum(['SUBMITTED', 'FAILED'], { description: 'What was reported.' }),
    txHash: orNull(Type.String(), 'The hash that was reported; null after FAILED.'),
    reportedAt: dateTime('When it was reported first.'),
  },
  { $id: 'AgentTransactionReport', description: 'A report that was recorded.' },
)

const Renewed = Type.Object(
  {
    id: id('Transaction id.'),
    claimedAt: dateTime('When the lease began.'),
    leaseExpiresAt: dateTime('When it ends now.'),
    leaseToken: Type.String({ description: 'As before.' }),
  },
  { $id: 'AgentLease', description: 'A lease that was extended.' },
)

const presentTransaction = ({ operation, transaction, lease }: IssuedBytes, view: OperationView) => ({
  id: transaction.transactionId,
  operationId: operation.operationId,
  unsignedTx: transaction.unsignedBytes,
  metadata: {
    blockchain: transaction.blockchain,
    walletId: operation.walletId,
    walletAddress: transaction.sender,
    ...presentOpWalletIds(operation.opWalletId),
    amount: formatDecimal(view.amount, view.tokenDecimals),
    full: operation.amount === null,
    token: view.token,
    type: operation.type,
    step: STEP_TYPES[transaction.kind],
    venue: view.venueName,
    protocol: view.protocol,
    description: transaction.description,
  },
  claimedAt: lease.claimedAt.toISOString(),
  leaseExpiresAt: lease.leasedUntil.toISOString(),
  leaseToken: lease.leaseToken,
})

const presentReport =
  (transactionId: number) =>
  ({ status, txHash, reportedAt }: AgentReport) =>
    ok({ id: transactionId, status, txHash, reportedAt: reportedAt.toISOString() })

const presentLease = (transactionId: number, { claimedAt, leasedUntil, leaseToken }: Lease) => ({
  id: transactionId,
  claimedAt: claimedAt.toISOString(),
  leaseExpiresAt: leasedUntil.toISOString(),
  leaseToken,
})

const tags = ['Agent']
const access = { surface: 'agent' } as const
const ownToken = leaseToken('The token of your lease; needed once the transaction was leased more than once.')

/** Transactions that the organization's custody agent signs (spec 4.5, 3.4, contract 9). */
export function agentTransactionRoutes(app: App, parts: AgentParts): void {
  const poll = createTransactionPolls(parts)

  app.post(
    '/api/agent/transactions/poll',
    {
      config: { access, limit: 'agent.poll' },
      schema: {
        tags,
        operationId: 'pollTransactions',
        summary: 'Lease a transaction to sign',
        description:
          'The oldest operation first; the transactions of an operation in order, each when the one before it is in a block. The plan is checked again, and its bytes are built, now. Nobody else is given the transaction until the lease ends. When it lapses without a report, whoever polls next is given the same bytes for as long as they could land, so that two agents that both send them have one effect. Work on a chain that does not answer is passed over.',
        body: pollBody,
        response: { 200: envelope(Polled, 'What there is to sign.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = keyCredentialOf(request)
      const handedOut = await poll(pollOptionsOf(request, reply, organizationId, request.body))
      if (!handedOut) return ok({ transaction: null })
      const { view } = await getOperationView(parts, organizationId, handedOut.operation.operationId)
      return ok({ transaction: presentTransaction(handedOut, view) })
    },
  )

  app.post(
    '/api/agent/transactions/:id/report',
    {
      config: { access, limit: 'agent.report', idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'reportTransaction',
        summary: 'Report what became of a transaction',
        description:
          'SUBMITTED with the hash, as soon as you sent it. It is never refused for lateness: whatever may have moved money is recorded and tracked, also after the lease passed to another and after the operation ended. Errors: VALIDATION_ERROR, TRANSACTION_NOT_FOUND, OPERATION_ALREADY_SUBMITTED (the hash stands for another transaction).\n\nFAILED with the reason, when you did not send it. While you hold the only lease that there was, the operation fails at once. When others may have the same bytes, the transaction is given to nobody until they are dead or landed. When the lease passed to another, or without `leaseToken` on a transaction that was leased more than once: 409 LEASE_LOST.\n\nThe same report twice gets the first answer again.',
        params: idParams('Transaction id.'),
        body: Type.Object({
          status: Type.Enum(['SUBMITTED', 'FAILED'], {
            description: 'SUBMITTED: you sent it. FAILED: you did not, and will not.',
          }),
          txHash: Type.Optional(
            Type.String({
              description: 'Required with SUBMITTED. Hash of the transaction. EVM: 0x and 64 hex digits.',
            }),
          ),
          error: Type.Optional(
            Type.String({
              minLength: 1,
              description: `Required with FAILED. Why, for people; cut after ${AGENT_ERROR_LENGTH_MAX} characters.`,
            }),
          ),
          leaseToken: Type.Optional(ownToken),
        }),
        response: { 200: envelope(Reported, 'The report.') },
      },
    },
    async (request, reply) => {
      const { id: transactionId } = request.params
      const present = presentReport(transactionId)
      const named = { organizationId: keyCredentialOf(request).organizationId, transactionId }
      const { status, txHash, error, leaseToken } = request.body
      if (status === 'SUBMITTED') {
        if (txHash === undefined) throw validationError('txHash', 'is required with SUBMITTED')
        return runVerb(reply, 200, present, (transact) =>
          reportSubmitted(parts, { ...named, txHash, leaseToken }, transact),
        )
      }
      if (error === undefined) throw validationError('error', 'is required with FAILED')
      return runVerb(reply, 200, present, (transact) => reportFailed(parts, { ...named, error, leaseToken }, transact))
    },
  )

  app.post(
    '/api/agent/transactions/:id/broadcast',
    {
      config: { access, limit: 'agent.report', idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'broadcastTransaction',
        summary: 'Let Weir send what you signed',
        description:
          'For agents without an endpoint of their own. The bytes are stored, then sent, and nothing but what was planned is ever sent: only fees and gas may be raised. It stands for a SUBMITTED report, whoever holds the lease; the same bytes again get the first answer. Errors: TRANSACTION_NOT_FOUND, LEASE_LOST (it was never handed out), TRANSACTION_MISMATCH, OPERATION_EXPIRED (the bytes can land no more), INVALID_OPERATION_STATUS (the operation ended), OPERATION_ALREADY_SUBMITTED, INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.',
        params: idParams('Transaction id.'),
        body: Type.Object({
          signedTransaction: Type.String({
            minLength: 1,
            maxLength: SIGNED_TRANSACTION_BYTES_MAX * 2 + 2,
            description: 'EVM: hex with or without 0x, or base64. Solana: base64.',
          }),
          leaseToken: Type.Optional(ownToken),
        }),
        response: { 200: envelope(Reported, 'The report.') },
      },
    },
    async (request, reply) => {
      const { id: transactionId } = request.params
      const present = presentReport(transactionId)
      const asked = { ...request.body, organizationId: keyCredentialOf(request).organizationId, transactionId }
      return runVerb(reply, 200, present, (transact) => broadcastForAgent(parts, asked, transact))
    },
  )

  app.post(
    '/api/agent/transactions/:id/renew',
    {
      config: { access, limit: 'agent.renew' },
      schema: {
        tags,
        operationId: 'renewLease',
        summary: 'Extend a lease',
        description:
          'The lease ends `leaseDurationMs` from now. Only one that still holds can be extended; otherwise 409 LEASE_LOST: do not send what you have not sent yet. Unknown transaction: 404 TRANSACTION_NOT_FOUND.',
        params: idParams('Transaction id.'),
        body: Type.Object({ leaseDurationMs, leaseToken: Type.Optional(ownToken) }),
        response: { 200: envelope(Renewed, 'The lease.') },
      },
    },
    async (request) => {
      const { id: transactionId } = request.params
      const { organizationId } = keyCredentialOf(request)
      return ok(
        presentLease(transactionId, await renewLease(parts, { ...request.body, organizationId, transactionId })),
      )
    },
  )
}
