export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
