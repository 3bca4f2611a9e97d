import type { Actor } from '../../api/types.ts'
import { words } from '../../parts/values.tsx'

export function by(origin: string, actor: Actor | null | undefined): string {
  if (actor == null || actor.type === 'system') return words(origin)
  return `${words(origin)}, ${actor.type === 'user' ? 'member' : 'key'} ${actor.id}`
}
