//! Spanish for names and summaries in the core's catalogue; what is missing here is shown in English.

/// The Spanish of a catalogue's English.
pub fn spanish(english: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == english).map(|(_, spanish)| *spanish)
}

const WORDS: &[(&str, &str)] = &[
    ("Uniform", "Uniforme"),
    ("every other host with equal chance", "cualquier otro host con igual probabilidad"),
    ("Local", "Cercano"),
    ("uniform over hosts near the sender", "uniforme entre los hosts cercanos al emisor"),
    ("farthest switch", "conmutador más lejano"),
    ("switch hops", "saltos"),
    ("Hot spot", "Punto caliente"),
    (
        "a share of all messages to one host, the rest uniform",
        "una parte de los mensajes a un host, el resto uniforme",
    ),
    ("the hot host", "el host caliente"),
    ("share of messages it gets", "parte de los mensajes que recibe"),
    ("Bit reversal", "Inversión de bits"),
    ("Bit complement", "Complemento de bits"),
    ("Transpose", "Transposición"),
    ("Perfect shuffle", "Barajado perfecto"),
    ("Neighbour", "Vecino"),
    ("the next host", "el host siguiente"),
    ("Permutation", "Permutación"),
    ("each host sends to one other, drawn once", "cada host envía a otro, sorteado una vez"),
    ("Fixed", "Fijo"),
    ("Range", "Intervalo"),
    ("Bimodal", "Bimodal"),
    ("shortest up*/down* routes, one at random", "rutas up*/down* más cortas, una al azar"),
    (
        "minimal routes, ITBs at down-to-up transitions",
        "rutas mínimas, ITB en las transiciones de bajada a subida",
    ),
    (
        "seed of every random choice made when routes are computed",
        "semilla de los sorteos al calcular las rutas",
    ),
    ("which host of a switch serves an in-transit buffer", "qué host del conmutador atiende un ITB"),
    ("most candidates of a pair", "máximo de candidatas por pareja"),
    ("routes", "rutas"),
];
