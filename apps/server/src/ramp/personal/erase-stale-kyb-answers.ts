import { sql } from 'kysely'
import { ERASURE_ROWS_BATCH } from '../../kernel/index.ts'
import { SANDBOX_REFERENCE_OF_ORGANIZATION } from '../customers/verification-intents.ts'
import type { RampParts } from '../parts.ts'

/**
 * Destroys answers to the sandbox's form that erasures of earlier versions left: these took answers of an erased customer,
 * and left those of an organization's declined attempts. A batch; returns how many answers it destroyed.
 */
export async function eraseStaleKybAnswers({ db }: Pick<RampParts, 'db'>): Promise<number> {
  const { rows } = await sql`
    update ramp_sandbox_applications set answers = null where reference in (
      select application.reference from ramp_sandbox_applications application
      where application.answers is not null and (
        exists (select 1 from ramp_customers customer
          where customer.kyb_reference = application.reference and customer.erased_at is not null)
        or exists (select 1 from ramp_customers customer
          where customer.organization_id = substring(application.reference from ${SANDBOX_REFERENCE_OF_ORGANIZATION})::bigint
            and customer.kind = 'organization' and customer.erased_at is not null))
      order by application.reference limit ${ERASURE_ROWS_BATCH} for update skip locked
    ) returning 1
  `.execute(db)
  return rows.length
}
