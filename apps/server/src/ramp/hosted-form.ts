import type { KybStatus } from '../database/index.ts'
import { inTransaction } from '../database/index.ts'
import type { RampParts } from './parts.ts'
import { type Answers, applicationOf, submitAnswers } from './sandbox/onboarding.ts'
import type { SandboxProviderParts } from './sandbox/provider.ts'
import { takeEvent } from './take-event.ts'

/** The form that the sandbox's provider hosts, for whoever shows it as a page. */
export interface HostedForm {
  /** Whose form it is, and how far the verification is; `undefined` for a token that is nobody's. */
  find(token: string): Promise<{ customer: string; status: KybStatus } | undefined>
  /** Hands in the answers; one that was handed in stays as it is. `undefined` for a token that is nobody's. */
  submit(token: string, answers: Answers): Promise<{ customer: string; status: KybStatus } | undefined>
}

/** The form of the sandbox's provider. */
export function hostedForm(parts: RampParts, provider: SandboxProviderParts): HostedForm {
  return {
    find: (token) => applicationOf(parts.db, token),
    submit: (token, answers) =>
      inTransaction(parts.db, async (tx) => {
        const application = await applicationOf(tx, token)
        if (!application) return undefined
        const event = await submitAnswers(tx, provider, application.reference, answers)
        if (event) await takeEvent(parts, tx, event)
        return { customer: application.customer, status: event?.status ?? application.status }
      }),
  }
}
