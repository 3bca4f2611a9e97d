import type { Schema } from '../../api/types.ts'

/** When any of its secrets was last used. */
export const lastUse = ({ secrets }: Schema<'ServiceAccount'>): string | null =>
  secrets
    .flatMap(({ lastUsedAt }) => (lastUsedAt === null ? [] : [lastUsedAt]))
    .sort()
    .at(-1) ?? null
