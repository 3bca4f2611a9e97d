import Type from 'typebox'
import type { DecisionView } from '../../../operations/index.ts'
import { givenExplanation, id, presentExplanation } from '../../http/index.ts'
import { dateTime } from '../schemas.ts'

export const Decision = Type.Object(
  {
    userId: id('User id.'),
    email: Type.String({ description: 'Email address of the member.' }),
    decision: Type.Enum(['approve', 'reject'], { description: 'What the member decided.' }),
    counts: Type.Boolean({ description: 'Whether it is one of the approvals that count.' }),
    signed: Type.Boolean({ description: 'Whether it is signed with a passkey.' }),
    ...givenExplanation,
    at: dateTime('When the member decided.'),
  },
  { $id: 'OperationDecision', description: 'What one member decided about an operation.' },
)

export const presentDecision = (decision: DecisionView) => ({
  userId: decision.userId,
  email: decision.email,
  decision: decision.decision,
  counts: decision.counts,
  signed: decision.isSigned,
  ...presentExplanation(decision),
  at: decision.at.toISOString(),
})
