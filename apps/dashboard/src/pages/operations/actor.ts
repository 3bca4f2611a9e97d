import type { Actor } from '../../api/types.ts'
import { words } from '../../parts/values.tsx'

export function by(origin: string, actor: Actor | null | undefined, memberName: (id: number) => string): string {
  if (actor?.id == null) return words(origin)
  return `${words(origin)}, ${actor.type === 'user' ? memberName(actor.id) : `key ${actor.id}`}`
}
