import type { KybStatus } from '../../database/index.ts'
import { inTransaction } from '../../database/index.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'
import { findApplication, type KybAnswers, lockApplication, submitAnswers } from './onboarding.ts'
import type { SandboxProviderParts } from './parts.ts'

/** The verification form of the sandbox provider, without its presentation; gone once its customer is archived or erased. */
export interface HostedForm {
  /** The customer and the status of a form; `undefined` for a token without a form. */
  find(token: string): Promise<{ customer: string; status: KybStatus } | undefined>
  /** Submits the answers; a submitted form does not change. `undefined` for a token without a form. */
  submit(token: string, answers: KybAnswers): Promise<{ customer: string; status: KybStatus } | undefined>
}

export function hostedForm(parts: RampParts, provider: SandboxProviderParts): HostedForm {
  return {
    find: (token) => findApplication(parts, token),
    submit: (token, answers) =>
      inTransaction(parts.db, async (tx) => {
        const application = await lockApplication({ ...parts, db: tx }, token)
        if (!application) return undefined
        const event = await submitAnswers(tx, provider, application.reference, answers)
        if (event) await applyProviderEvent(parts, tx, event)
        return { customer: application.customer, status: event?.status ?? application.status }
      }),
  }
}
