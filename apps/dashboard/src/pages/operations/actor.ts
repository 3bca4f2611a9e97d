import type { Actor } from '../../api/types.ts'
import { words } from '../../parts/values.tsx'

export function by(origin: string, actor: Actor | null | undefined, memberName: (id: number) => string): string {
  return actor?.id == null ? words(origin) : `${words(origin)}, ${named(actor.type, actor.id, memberName)}`
}

function named(type: Actor['type'], id: number, memberName: (id: number) => string): string {
  if (type === 'user') return memberName(id)
  return `${type === 'key' ? 'key' : 'service account'} ${id}`
}
