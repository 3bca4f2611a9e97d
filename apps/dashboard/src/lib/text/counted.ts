export const counted = (count: number, what: string, several = `${what}s`) => `${count} ${count === 1 ? what : several}`
