import { retryUntilAnswered } from '../service/retry-until-answered.ts'
import type { ActionReport, AgentAction } from '../service/work.ts'
import { familyOf, SignerRefused, SignerUnavailable } from '../signers/index.ts'
import type { Parts } from './parts.ts'

/**
 * Handles one action. The key's name combines the journal and the action, so that a retry, even after a crash, finds the
 * created key instead of creating another.
 */
export async function handleAction(parts: Parts, action: AgentAction, stopping: AbortSignal): Promise<void> {
  const { service, clock, log, emit } = parts
  const { id: actionId, leaseToken } = action
  let report: ActionReport
  try {
    report = { status: 'SUCCESS', result: await createWallet(parts, action) }
  } catch (error) {
    if (!(error instanceof SignerRefused)) {
      const isForNow = error instanceof SignerUnavailable
      return log[isForNow ? 'warn' : 'error']({ actionId, err: error }, 'left to its lease')
    }
    report = { status: 'FAILED', error: error.message }
  }
  const refusal = await retryUntilAnswered(() => service.reportAction(actionId, report, leaseToken), {
    clock,
    signal: stopping,
  })
  if (refusal === 'stopped') return
  if (refusal === undefined) {
    emit('action-reported')
    return log.info({ actionId, ...report }, 'action done')
  }
  emit('report-refused')
  log.error({ actionId, code: refusal.code, err: refusal.message }, 'the service refused the report')
}

async function createWallet(parts: Parts, { id, type, payload }: AgentAction) {
  const { signer, journal, nodes, emit } = parts
  if (type !== 'CREATE_WALLET') throw new SignerRefused(`${type} is not an action that this agent knows`)
  const made = journal.keyOf(id)
  if (made !== undefined) return made
  const { blockchain, label } = payload
  if (typeof blockchain !== 'string' || !nodes.has(blockchain)) {
    throw new SignerRefused(`this agent does not serve ${String(blockchain)}`)
  }
  const { address, keyId } = await signer.createKey({
    blockchain,
    family: familyOf(blockchain),
    label: typeof label === 'string' ? label : '',
    reference: `${journal.id}-${id}`,
  })
  emit('key-made')
  const key = { address, signatureId: keyId }
  journal.recordKey(id, key)
  emit('key-journaled')
  return key
}
