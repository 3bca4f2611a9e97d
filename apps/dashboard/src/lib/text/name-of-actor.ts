/** A member by email address, a key by its name, and a service account as such: its name could be that of a person. */
export function nameOfActor(actor: {
  readonly type: string
  readonly id: number | null
  readonly name: string | null
}): string {
  const type = actor.type.replaceAll('_', ' ')
  if (actor.name === null) return `${type} ${actor.id ?? ''}`.trim()
  return actor.type === 'service_account' ? `${type} ${actor.name}` : actor.name
}
