import Type from 'typebox'
import {
  type AgentAction,
  type AgentParts,
  createActionPolls,
  type LeasedAction,
  reportActionFailure,
  reportActionSuccess,
} from '../../../agents/index.ts'
import { ADDRESS_FORM } from '../../../chains/index.ts'
import type { IdentityParts } from '../../../identity/index.ts'
import { actorOf } from '../../../identity/index.ts'
import {
  AGENT_ERROR_LENGTH_MAX,
  CUSTODY_KEY_ID_LENGTH_MAX,
  validationError,
  WALLET_ADDRESS_LENGTH_MAX,
  WALLET_SIGNATURE_LENGTH_MAX,
} from '../../../kernel/index.ts'
import { type App, envelope, id, idParams, keyCredentialOf, ok, runVerb } from '../../http/index.ts'
import { orNull } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { actionPayload, actionResult, actionStatus, actionType, presentResult } from './custody.ts'
import { failureReason } from './failure-reason.ts'
import { leaseToken, pollBody, pollOptionsOf } from './leases.ts'

const LeasedActionData = Type.Object(
  {
    id: id('Action id.'),
    type: actionType,
    payload: actionPayload,
    status: actionStatus,
    createdAt: dateTime('When the action was requested.'),
    leaseExpiresAt: dateTime('When the lease ends.'),
    leaseToken: Type.String({ description: 'Proves that you hold the lease; send it with the report.' }),
    challenge: Type.String({ description: 'Text to sign with the new key; the signature is `result.signature`.' }),
  },
  { $id: 'AgentAction', description: 'An action for your agent to carry out, leased to you.' },
)
const Polled = Type.Object(
  { action: orNull(LeasedActionData, 'The oldest pending action; null if there is none.') },
  { $id: 'AgentActionPoll', description: 'The result of a poll.' },
)
const Reported = Type.Object(
  { action: Type.Object({ id: id('Action id.'), type: actionType, status: actionStatus, result: actionResult }) },
  { $id: 'AgentActionReport', description: 'The action after the report.' },
)

const presentLeased = ({ action, leaseToken: token, challenge, leasedUntil }: LeasedAction) => ({
  id: action.actionId,
  type: action.type,
  payload: { ...action.payload },
  status: action.status,
  createdAt: action.createdAt.toISOString(),
  leaseExpiresAt: leasedUntil.toISOString(),
  leaseToken: token,
  challenge,
})

const presentReported = (action: AgentAction) =>
  ok({
    action: { id: action.actionId, type: action.type, status: action.status, result: presentResult(action) },
  })

const tags = ['Agent']
const access = { surface: 'agent' } as const

/** Actions of the organization's custody agent other than signing: creating wallets (spec 4.5, contract 9). */
export function agentActionRoutes(app: App, parts: AgentParts & Pick<IdentityParts, 'usage'>): void {
  const poll = createActionPolls(parts)

  app.post(
    '/api/agent/actions/poll',
    {
      config: { access, limit: 'agent.actions.poll', audit: { byVerb: true } },
      schema: {
        tags,
        operationId: 'pollActions',
        summary: 'Lease an action',
        description:
          'Leases the oldest pending action to you; no other agent gets it until the lease ends. CREATE_WALLET: generate a key for the chain, sign `challenge` with it, and report address and signature.',
        body: pollBody,
        response: { 200: envelope(Polled, 'The leased action, if any.') },
      },
    },
    async (request, reply) => {
      const leased = await poll(pollOptionsOf(request, reply, { body: request.body, usage: parts.usage }))
      request.foundNothing = !leased
      return ok({ action: leased ? presentLeased(leased) : null })
    },
  )

  app.post(
    '/api/agent/actions/:id/report',
    {
      config: {
        access,
        limit: 'agent.actions.report',
        idempotent: 'plain',
        audit: { object: 'agent_action', details: ['body.status', 'body.result.address'] },
      },
      schema: {
        tags,
        operationId: 'reportAction',
        summary: 'Report the result of an action',
        description:
          'SUCCESS for CREATE_WALLET registers the address as an organization wallet. It returns 409 LEASE_LOST if the action was never leased, after the lease passed to another agent, or without `leaseToken` if the action was leased more than once. A key with permissions needs `leaseToken` and `result.signature`; for other keys they are optional. A signature that is not the new key’s returns 400 VALIDATION_ERROR, an address that is invalid for the chain 400 INVALID_ADDRESS, and the action stays leased. Reporting the same address again returns the first response, and a different one 409 CONFLICT. FAILED ends the action; it returns 409 LEASE_LOST after the lease passed to another agent, or without `leaseToken` if the action was leased more than once. Unknown action: 404 NOT_FOUND.',
        params: idParams('Action id.'),
        body: Type.Object({
          status: Type.Enum(['SUCCESS', 'FAILED'], {
            description: 'SUCCESS: the action is done. FAILED: it was not done and will not be.',
          }),
          result: Type.Optional(
            Type.Object(
              {
                address: Type.String({
                  maxLength: WALLET_ADDRESS_LENGTH_MAX,
                  description: `Address of the new wallet: ${ADDRESS_FORM}`,
                }),
                signatureId: Type.Optional(
                  Type.String({
                    maxLength: CUSTODY_KEY_ID_LENGTH_MAX,
                    description: 'Identifier of the key in your custody system; stored unchanged.',
                  }),
                ),
                signature: Type.Optional(
                  Type.String({
                    maxLength: WALLET_SIGNATURE_LENGTH_MAX,
                    description:
                      'The new key’s signature over `challenge`. EVM: a personal message (EIP-191), 65 bytes in hex with 0x. Solana: Ed25519 over the UTF-8 bytes, in base58. Required of keys with permissions.',
                  }),
                ),
              },
              { description: 'Result of the action. Required with SUCCESS.' },
            ),
          ),
          error: Type.Optional(
            Type.String({
              description: `Human-readable reason. Required with FAILED, and may be empty; truncated to ${AGENT_ERROR_LENGTH_MAX} characters.`,
            }),
          ),
          leaseToken: Type.Optional(
            leaseToken(
              'Token of your lease. Required if the action was leased more than once, and to report SUCCESS with a key that has permissions.',
            ),
          ),
        }),
        response: { 200: envelope(Reported, 'The action.') },
      },
    },
    async (request, reply) => {
      const { organizationId, permissions } = keyCredentialOf(request)
      const named = { organizationId, actionId: request.params.id }
      const { status, result, error, leaseToken: token } = request.body
      if (status === 'SUCCESS') {
        if (result === undefined) throw validationError('result', 'is required with SUCCESS')
        return runVerb(reply, 200, presentReported, (transact) =>
          reportActionSuccess(
            parts,
            {
              ...named,
              result,
              leaseToken: token,
              needsProof: permissions !== null,
              createdBy: actorOf(request.credential),
            },
            transact,
          ),
        )
      }
      const reason = failureReason(error)
      return runVerb(reply, 200, presentReported, (transact) =>
        reportActionFailure(parts, { ...named, error: reason, leaseToken: token }, transact),
      )
    },
  )
}
