import Type from 'typebox'
import { type AgentParts, createTransactionPolls } from '../../../agents/index.ts'
import type { IdentityParts } from '../../../identity/index.ts'
import {
  AGENT_ERROR_LENGTH_MAX,
  formatDecimal,
  LEASE_MS,
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
  readSignedApproval,
  renewLease,
  reportFailed,
  reportSubmitted,
  type SignedApproval,
} from '../../../operations/index.ts'
import { spenderOf } from '../../../venues/index.ts'
import {
  type App,
  auditedActorOf,
  blockchainText,
  envelope,
  id,
  idParams,
  keyCredentialOf,
  ok,
  runVerb,
  strategyContracts,
} from '../../http/index.ts'
import { decimal, opWalletFields, orNull, presentOpWalletIds, STEP_TYPES, StepType } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { AgentApproval, presentSignedApproval } from './approval-schemas.ts'
import { failureReason } from './failure-reason.ts'
import { leaseToken, pollBody, pollOptionsOf, requestedDuration } from './leases.ts'

const AgentTransaction = Type.Object(
  {
    id: id('Transaction id; on Solana the memo contains it.'),
    operationId: id('Operation that the transaction belongs to.'),
    unsignedTx: Type.String({ description: 'Unsigned bytes: hex on EVM chains, base64 on Solana.' }),
    metadata: Type.Object(
      {
        blockchain: blockchainText('Chain, in lower case.'),
        walletId: id('Wallet id.'),
        walletAddress: Type.String({
          description: 'Address of the wallet. It signs, pays the fees, and is the only recipient.',
        }),
        ...opWalletFields,
        amount: decimal(
          "The operation's amount; for a full withdrawal, the current value of the position; for a revocation, the allowance.",
        ),
        full: Type.Boolean({ description: 'Whether the whole position is withdrawn; `amount` is then an estimate.' }),
        token: Type.String({ description: 'Token symbol.' }),
        type: Type.Enum(['SUPPLY', 'UNWIND'], {
          description: 'Type of the operation, even on its token approvals.',
        }),
        step: StepType,
        venue: Type.String({ description: 'Display name of the venue.' }),
        protocol: Type.String({ description: 'Protocol identifier.' }),
        strategyId: id('Strategy id.'),
        strategy: Type.String({ description: 'Display name of the strategy.' }),
        tokenAddress: Type.String({ description: 'Token contract address.' }),
        ...strategyContracts,
        description: Type.String({ description: 'Human-readable description.' }),
      },
      { description: 'What the transaction does. Verify the bytes against it before you sign.' },
    ),
    approval: Type.Optional(
      orNull(
        AgentApproval,
        'Approvals that people signed; null if nobody signed. Verify them with your own list of approvers.',
      ),
    ),
    claimedAt: dateTime('When the lease began.'),
    leaseExpiresAt: dateTime('When the lease ends.'),
    leaseToken: Type.String({ description: 'Proves that you hold the lease; send it to report and to renew.' }),
  },
  { $id: 'AgentTransaction', description: 'A transaction to sign, leased to you.' },
)

const Polled = Type.Object(
  { transaction: orNull(AgentTransaction, 'The oldest transaction that can be issued; null if there is none.') },
  { $id: 'AgentTransactionPoll', description: 'The result of a poll.' },
)

const Reported = Type.Object(
  {
    id: id('Transaction id.'),
    status: Type.Enum(['SUBMITTED', 'FAILED'], { description: 'The reported status.' }),
    txHash: orNull(Type.String(), 'The reported hash; null after FAILED.'),
    reportedAt: dateTime('When the first report arrived.'),
  },
  { $id: 'AgentTransactionReport', description: 'A recorded report.' },
)

const Renewed = Type.Object(
  {
    id: id('Transaction id.'),
    claimedAt: dateTime('When the lease began.'),
    leaseExpiresAt: dateTime('When the lease ends now.'),
    leaseToken: Type.String({ description: 'Unchanged.' }),
  },
  { $id: 'AgentLease', description: 'An extended lease.' },
)

const presentTransaction = (
  { operation, transaction, lease }: IssuedBytes,
  view: OperationView,
  approval: SignedApproval | undefined,
) => ({
  id: transaction.transactionId,
  operationId: operation.operationId,
  unsignedTx: transaction.unsignedBytes,
  metadata: {
    blockchain: transaction.blockchain,
    walletId: operation.walletId,
    walletAddress: transaction.sender,
    ...presentOpWalletIds(operation.opWalletId),
    amount: formatDecimal(view.revokesAllowance ?? view.amount, view.tokenDecimals),
    full: operation.amount === null,
    token: view.token,
    type: view.type,
    step: STEP_TYPES[transaction.kind],
    venue: view.venueName,
    protocol: view.protocol,
    strategyId: view.strategyId,
    strategy: view.strategyName,
    tokenAddress: view.tokenAddress,
    tokenDecimals: view.tokenDecimals,
    contracts: view.contracts,
    spender: spenderOf(view.contracts),
    description: transaction.description,
  },
  approval: approval === undefined ? null : presentSignedApproval(approval),
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
const audit = { object: 'transaction', details: ['body.status', 'body.txHash'] }
const ownToken = leaseToken('Token of your lease. Required if the transaction was leased more than once.')

/** Transactions that the organization's custody agent signs (spec 4.5, 3.4, contract 9). */
export function agentTransactionRoutes(
  app: App,
  parts: AgentParts & Pick<IdentityParts, 'environment' | 'usage'>,
): void {
  const poll = createTransactionPolls(parts)

  app.post(
    '/api/agent/transactions/poll',
    {
      config: { access, limit: 'agent.poll', audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'pollTransactions',
        summary: 'Lease a transaction to sign',
        description:
          'Leases the next transaction to you, oldest operation first. The transactions of an operation come in order, each once the previous one is in a block. The plan is re-checked and the bytes are built now. No other agent gets the transaction until the lease ends. If the lease lapses without a report, the next agent gets the same bytes for as long as they could land, so two agents that both broadcast them have one effect. Transactions on an unavailable chain are skipped.',
        body: pollBody,
        response: { 200: envelope(Polled, 'The leased transaction, if any.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = keyCredentialOf(request)
      const handedOut = await poll(pollOptionsOf(request, reply, { body: request.body, usage: parts.usage }))
      request.foundNothing = !handedOut
      if (!handedOut) return ok({ transaction: null })
      const { view } = await getOperationView(parts, organizationId, handedOut.operation.operationId)
      const approval = await readSignedApproval(parts.db, parts.environment, handedOut.operation)
      return ok({ transaction: presentTransaction(handedOut, view, approval) })
    },
  )

  app.post(
    '/api/agent/transactions/:id/report',
    {
      config: { access, limit: 'agent.report', idempotent: 'plain', audit },
      schema: {
        tags,
        operationId: 'reportTransaction',
        summary: 'Report the result of a transaction',
        description:
          'SUBMITTED: send the hash as soon as you have broadcast the transaction. A late report is never rejected: anything that may have moved money is recorded and tracked, even after the lease passed to another agent or the operation ended. Errors: VALIDATION_ERROR, TRANSACTION_NOT_FOUND, OPERATION_ALREADY_SUBMITTED (the hash is linked to another transaction).\n\nFAILED: send the reason if you did not broadcast the transaction. If yours was the only lease ever, the operation fails at once. If other agents may have the same bytes, the transaction is not leased again until those bytes are dead or have landed. Returns 409 LEASE_LOST after the lease passed to another agent, or without `leaseToken` if the transaction was leased more than once.\n\nRepeating the same report returns the first response.',
        params: idParams('Transaction id.'),
        body: Type.Object({
          status: Type.Enum(['SUBMITTED', 'FAILED'], {
            description: 'SUBMITTED: you broadcast it. FAILED: you did not and will not.',
          }),
          txHash: Type.Optional(
            Type.String({
              description: 'Hash of the transaction. Required with SUBMITTED. EVM: 0x and 64 hex digits.',
            }),
          ),
          error: Type.Optional(
            Type.String({
              description: `Human-readable reason. Required with FAILED, and may be empty; truncated to ${AGENT_ERROR_LENGTH_MAX} characters.`,
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
      const reason = failureReason(error)
      return runVerb(reply, 200, present, (transact) =>
        reportFailed(parts, { ...named, error: reason, leaseToken }, transact),
      )
    },
  )

  app.post(
    '/api/agent/transactions/:id/broadcast',
    {
      config: { access, limit: 'agent.report', idempotent: 'plain', audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'broadcastTransaction',
        summary: 'Broadcast a signed transaction',
        description:
          'For agents without an RPC endpoint of their own. Weir stores the bytes, then broadcasts them, and only if they match the plan: only fees and gas may be higher. The call counts as a SUBMITTED report, even if another agent holds the lease; repeating it with the same bytes returns the first response. Errors: TRANSACTION_NOT_FOUND, LEASE_LOST (the transaction was never issued), TRANSACTION_MISMATCH, OPERATION_EXPIRED (the bytes can no longer land), INVALID_OPERATION_STATUS (the operation ended), OPERATION_ALREADY_SUBMITTED, INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE.',
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
      const { organizationId } = keyCredentialOf(request)
      const asked = { ...request.body, organizationId, transactionId, by: auditedActorOf(request) }
      return runVerb(reply, 200, present, (transact) => broadcastForAgent(parts, asked, transact))
    },
  )

  app.post(
    '/api/agent/transactions/:id/renew',
    {
      // The lease has its entry.
      config: { access, limit: 'agent.renew', audit: false },
      schema: {
        tags,
        operationId: 'renewLease',
        summary: 'Extend a lease',
        description:
          'The lease then ends `leaseDurationMs` from now, or when it would have ended, if that is later. Only an active lease can be extended, for a day at most, and that of a deployment by Weir itself only while no circuit breaker or limit stops it. Otherwise the call returns 409 LEASE_LOST: do not broadcast the transaction if you have not done so yet. Unknown transaction: 404 TRANSACTION_NOT_FOUND.',
        params: idParams('Transaction id.'),
        body: Type.Object({ leaseDurationMs: requestedDuration, leaseToken: Type.Optional(ownToken) }),
        response: { 200: envelope(Renewed, 'The lease.') },
      },
    },
    async (request) => {
      const { id: transactionId } = request.params
      const { organizationId } = keyCredentialOf(request)
      const { leaseDurationMs = LEASE_MS.default, leaseToken } = request.body
      const renewed = await renewLease(parts, { organizationId, transactionId, leaseDurationMs, leaseToken })
      return ok(presentLease(transactionId, renewed))
    },
  )
}
