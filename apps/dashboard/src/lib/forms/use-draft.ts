import { useRef, useState } from 'react'
import { isSameSettings } from './same-settings.ts'

/** Settings that are replaced as a whole; `null`: nobody has set them. */
interface InForce {
  readonly updatedAt: string | null
}

interface Saved<T> {
  readonly updatedAt: string | null
  readonly content: Omit<T, 'updatedAt'>
}

/**
 * What a person makes of settings, and which it is based on. What others save meanwhile takes nothing from a draft, and
 * a draft nothing from them: it is old until its author decides.
 */
export function useDraft<T extends InForce>(inForce: T) {
  const [base, setBase] = useState(inForce)
  const [draft, setDraft] = useState(contentOf(inForce))
  const [saved, setSaved] = useState<Saved<T>>()
  const sent = useRef(draft)
  const take = () => {
    setBase(inForce)
    setDraft(contentOf(inForce))
  }
  const keep = () => setBase(inForce)
  const isOld = inForce.updatedAt !== base.updatedAt
  const isOwn = isOld && saved !== undefined && inForce.updatedAt === saved.updatedAt
  // Without a change here, or once it is saved, nobody has to decide.
  if (isOld && [base, inForce].some((each) => isSameSettings(draft, contentOf(each)))) take()
  else if (isOwn && isSameSettings(draft, saved.content)) take()
  // What was typed since one's own save is a change of what was saved.
  else if (isOwn) keep()
  return {
    draft,
    set: (next: Partial<Omit<T, 'updatedAt'>>) => setDraft((previous) => ({ ...previous, ...next })),
    isOld,
    isChanged: !isSameSettings(draft, contentOf(base)),
    body: { ...draft, basedOnUpdatedAt: base.updatedAt },
    take,
    keep,
    /** Marks what is saved now, whatever is typed until `wasSaved`. */
    saves: () => {
      sent.current = draft
    },
    wasSaved: (stored: T) => setSaved({ updatedAt: stored.updatedAt, content: sent.current }),
  }
}

function contentOf<T extends InForce>(settings: T): Omit<T, 'updatedAt'> {
  const { updatedAt: _, ...content } = settings
  return content
}
