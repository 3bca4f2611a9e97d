import { createHash } from 'node:crypto'
import { retryUntilAnswered } from '../service/retry-until-answered.ts'
import type { ActionReport, AgentAction } from '../service/work.ts'
import { proofSignature } from '../sign/index.ts'
import { familyOf, SignerRefused, SignerUnavailable } from '../signers/index.ts'
import type { Parts } from './parts.ts'

/**
 * Handles one action. The key's name combines the journal, the action and its request, so that a retry, even after a
 * crash, finds the created key instead of creating another, and another request never finds it.
 */
export async function handleAction(parts: Parts, action: AgentAction, stopping: AbortSignal): Promise<void> {
  const { service, clock, holds, log, emit } = parts
  const { id: actionId, leaseToken } = action
  let report: ActionReport
  try {
    const key = await createWallet(parts, action)
    const signature = await proveKey(parts, action, key.address)
    report = { status: 'SUCCESS', result: { ...key, ...(signature !== undefined && { signature }) } }
  } catch (error) {
    if (!(error instanceof SignerRefused)) {
      const isForNow = error instanceof SignerUnavailable
      return holds.failed(
        `action ${actionId}`,
        { actionId, err: error },
        { level: isForNow ? 'warn' : 'error', cause: String(error) },
      )
    }
    report = { status: 'FAILED', error: error.message }
  }
  holds.recovered(`action ${actionId}`, { actionId })
  const refusal = await retryUntilAnswered(() => service.reportAction(actionId, report, leaseToken), {
    clock,
    signal: stopping,
  })
  if (refusal === 'stopped') return
  if (refusal === undefined) {
    emit('action-reported')
    const facts = report.status === 'SUCCESS' ? { address: report.result.address } : { err: report.error }
    return log.info({ actionId, status: report.status, ...facts }, 'action reported')
  }
  emit('report-refused')
  log.error({ actionId, code: refusal.code, err: refusal.message }, 'the service refused the report')
}

async function createWallet(parts: Parts, action: AgentAction) {
  const { signer, journal, nodes, emit } = parts
  const { id, type, payload } = action
  if (type !== 'CREATE_WALLET') throw new SignerRefused(`this agent does not know the action ${type}`)
  const { blockchain, label } = payload
  const made = journal.keyOf(id)
  if (typeof blockchain !== 'string' || (made === undefined && !nodes.has(blockchain))) {
    throw new SignerRefused(`this agent does not serve ${String(blockchain)}`)
  }
  const request = fingerprintOf(action)
  // A journal of an earlier version has keys without their requests, of which only the family is known.
  const isOtherKind = made !== undefined && isEvmAddress(made.address) !== (familyOf(blockchain) === 'evm')
  if (isOtherKind || !journal.bindAction(id, request)) return refuseReused(parts, id)
  if (made !== undefined) return made
  const { address, keyId } = await signer.createKey({
    blockchain,
    family: familyOf(blockchain),
    label: typeof label === 'string' ? label : '',
    reference: `${journal.id}-${id}-${request.slice(0, 16)}`,
  })
  emit('key-made')
  const key = { address, signatureId: keyId }
  journal.recordKey(id, key)
  emit('key-journaled')
  return key
}

/** What distinguishes an action from another with its id. A hash, because labels may be personal data. */
function fingerprintOf({ type, payload, createdAt }: AgentAction): string {
  const facts = [type, payload.blockchain, payload.label ?? null, createdAt ?? null]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

const isEvmAddress = (address: string): boolean => address.startsWith('0x')

/** The key of the earlier action may be another customer's. */
function refuseReused({ log, emit }: Parts, actionId: number): never {
  emit('refused')
  log.error({ actionId, code: 'ID_REUSED' }, 'the service issued the id of an earlier action for another one')
  throw new SignerRefused(`ID_REUSED: action ${actionId} asked for something else before; request the wallet again`)
}

/** The form of a challenge, so that the service cannot have a new key sign anything else. */
const CHALLENGE =
  /^Weir: this key belongs to a new wallet\.\nOrganization (\d+), action (\d+), ([a-z]+)\nNonce [0-9a-f]{64}$/

/**
 * The new key's signature over the challenge. A signer that cannot prove keys is no reason to fail: the service decides
 * whether it takes a report without a proof.
 */
async function proveKey(parts: Parts, action: AgentAction, address: string): Promise<string | undefined> {
  const { id: actionId, challenge } = action
  if (challenge === undefined) return undefined
  const blockchain = String(action.payload.blockchain)
  const [, , named, chain] = CHALLENGE.exec(challenge) ?? []
  if (named !== String(actionId) || chain !== blockchain) {
    parts.log.warn({ actionId }, 'not signed: the challenge has an unknown form')
    return undefined
  }
  const proof = { blockchain, family: familyOf(blockchain), address, challenge }
  try {
    return await proofSignature(proof, await parts.signer.prove(proof))
  } catch (error) {
    if (!(error instanceof SignerRefused)) throw error
    parts.log.warn({ actionId, err: error }, 'the signer refused to prove its key')
    return undefined
  }
}
