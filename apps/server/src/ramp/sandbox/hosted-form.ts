import type { KybStatus } from '../../database/index.ts'
import { inTransaction } from '../../database/index.ts'
import { applyProviderEvent } from '../events/apply-provider-event.ts'
import type { RampParts } from '../parts.ts'
import { findApplication, type KybAnswers, submitAnswers } from './onboarding.ts'
import type { SandboxProviderParts } from './provider.ts'

/** The form that the sandbox's provider hosts, for whoever shows it as a page. */
export interface HostedForm {
  /** Whose form it is, and how far the verification is; `undefined` for a token that is nobody's. */
  find(token: string): Promise<{ customer: string; status: KybStatus } | undefined>
  /** Hands in the answers; one that was handed in stays as it is. `undefined` for a token that is nobody's. */
  submit(token: string, answers: KybAnswers): Promise<{ customer: string; status: KybStatus } | undefined>
}

/** The form of the sandbox's provider. */
export function hostedForm(parts: RampParts, provider: SandboxProviderParts): HostedForm {
  return {
    find: (token) => findApplication(parts.db, token),
    submit: (token, answers) =>
      inTransaction(parts.db, async (tx) => {
        const application = await findApplication(tx, token)
        if (!application) return undefined
        const event = await submitAnswers(tx, provider, application.reference, answers)
        if (event) await applyProviderEvent(parts, tx, event)
        return { customer: application.customer, status: event?.status ?? application.status }
      }),
  }
}
