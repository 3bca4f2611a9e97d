import Type from 'typebox'
import { validationError } from '../../../../kernel/index.ts'

const ACTORS = ['user', 'key', 'system', 'service_account'] as const

/** An actor in a query: `user:3`, or all of a type. Read it with {@link actorFrom}. */
export const ACTOR_REFERENCE = Type.String({
  description:
    'Only this actor, such as `user:3` or `service_account:5`, or all actors of a type: `user`, `key`, `system`, `service_account`.',
})

/** Error: VALIDATION_ERROR. */
export function actorFrom(text: string): { type: (typeof ACTORS)[number]; id?: number | undefined } {
  const { type, id: actorId } = referenceFrom('actor', text)
  const actorType = ACTORS.find((candidate) => candidate === type)
  if (actorType === undefined) throw validationError('actor', `must begin with one of: ${ACTORS.join(', ')}`)
  return { type: actorType, id: actorId }
}

/** `member:12` or `member`. Error: VALIDATION_ERROR. */
export function referenceFrom(path: string, text: string): { type: string; id?: number | undefined } {
  const match = /^([a-z_]{1,40})(?::([0-9]{1,16}))?$/i.exec(text)
  if (!match) throw validationError(path, 'must be a type, or a type and an id such as member:12')
  const [, type = '', number] = match
  return { type: type.toLowerCase(), id: number === undefined ? undefined : Number(number) }
}
