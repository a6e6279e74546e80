//! Spanish for names and summaries in the core's catalogue; what is missing here is shown in English.

/// The Spanish of a catalogue's English.
pub fn spanish(english: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == english).map(|(_, spanish)| *spanish)
}

const WORDS: &[(&str, &str)] = &[
    (
        "One packet of each service level in turn, whatever its size",
        "Un paquete de cada nivel de servicio por turno, sea cual sea su tamaño",
    ),
    ("Simple bandwidth table", "Tabla simple de ancho de banda"),
    (
        "Each service level may send its weight in packets per round; lanes take turns",
        "Cada nivel puede enviar su peso en paquetes por ronda; los carriles se turnan",
    ),
    (
        "Packets per round of each service level; the sum is usually 100",
        "Paquetes por ronda de cada nivel; suelen sumar 100",
    ),
    ("packets", "paquetes"),
    ("Deficit table (DTable)", "Tabla con déficit (DTable)"),
    (
        "A table of levels and weights: entry spacing bounds latency, weights give bandwidth",
        "Una tabla de niveles y pesos: la separación acota la latencia, los pesos dan ancho de banda",
    ),
    ("Table arbitration (WRR)", "Arbitraje por tabla (WRR)"),
    (
        "A table of virtual lanes, one packet per entry whatever its size: unfair when sizes differ",
        "Una tabla de carriles virtuales, un paquete por entrada sea cual sea su tamaño: injusto si los tamaños difieren",
    ),
    ("Virtual lane of each entry, up to 1024", "Carril virtual de cada entrada, hasta 1024"),
    ("lane", "carril"),
    ("Deficit round robin", "Turnos con déficit (DRR)"),
    (
        "Each service level in turn may send its quantum; what a packet does not fit in is kept for the next round",
        "Cada nivel, por turno, puede enviar su cuanto; lo que no alcanza para un paquete se guarda para la ronda siguiente",
    ),
    ("Quantum of each service level", "Cuanto de cada nivel de servicio"),
    ("credits", "créditos"),
    ("Strict priority", "Prioridad estricta"),
    (
        "Always the highest level that is ready; lower ones may starve",
        "Siempre el nivel listo más alto; los bajos pueden quedarse sin nada",
    ),
    (
        "Service levels, highest priority first; those not listed follow in ascending order",
        "Niveles de servicio, de mayor a menor prioridad; los no citados siguen en orden ascendente",
    ),
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
    (
        "shortest routes under the depth-first orientation, one at random",
        "rutas más cortas con la orientación en profundidad, una al azar",
    ),
    (
        "near-shortest routes, balanced, without cycles and without ITBs",
        "rutas casi más cortas, equilibradas, sin ciclos y sin ITB",
    ),
    (
        "minimal routes, one without ITBs if there is one; ITBs at down-to-up transitions",
        "rutas mínimas, una sin ITB si la hay; ITB en las transiciones de bajada a subida",
    ),
    (
        "minimal routes, ITBs where the depth-first orientation forbids the transition",
        "rutas mínimas, ITB donde la orientación en profundidad prohíbe la transición",
    ),
    ("as DFS_ITB, a route without ITBs if there is one", "como DFS_ITB, una ruta sin ITB si la hay"),
    (
        "smart routing's balance, ITBs where cycles must be broken",
        "el equilibrio de SMART, ITB donde hay que romper ciclos",
    ),
    (
        "minimal routes at random, ITBs where cycles must be broken",
        "rutas mínimas al azar, ITB donde hay que romper ciclos",
    ),
    (
        "balanced minimal routes, ITBs where cycles must be broken",
        "rutas mínimas equilibradas, ITB donde hay que romper ciclos",
    ),
    (
        "balanced minimal routes, ITBs at local maxima of random numbers",
        "rutas mínimas equilibradas, ITB en los máximos locales de números al azar",
    ),
    (
        "balanced minimal routes, ITBs before a larger random number",
        "rutas mínimas equilibradas, ITB antes de un número al azar mayor",
    ),
    (
        "balanced minimal routes, ITBs except at local minima of random numbers",
        "rutas mínimas equilibradas, ITB salvo en los mínimos locales de números al azar",
    ),
    (
        "balanced minimal routes, an ITB at every intermediate switch",
        "rutas mínimas equilibradas, un ITB en cada conmutador intermedio",
    ),
    (
        "short messages on UD_MITB routes, long ones on UD_ITB routes",
        "mensajes cortos por rutas UD_MITB, largos por rutas UD_ITB",
    ),
    (
        "half the messages on UD routes, half on UD_ITB routes",
        "la mitad de los mensajes por rutas UD, la otra por rutas UD_ITB",
    ),
    (
        "UD_ITB routes when the UD route is loaded, handicap 1",
        "rutas UD_ITB cuando la ruta UD está cargada, hándicap 1",
    ),
    (
        "UD_ITB routes when the UD route is loaded, handicap 2",
        "rutas UD_ITB cuando la ruta UD está cargada, hándicap 2",
    ),
    (
        "minimal routes without ITBs: may deadlock, to show it",
        "rutas mínimas sin ITB: puede haber interbloqueo, para mostrarlo",
    ),
    (
        "balanced routes found inside an acyclic dependency graph, one lane",
        "rutas equilibradas halladas dentro de un grafo de dependencias sin ciclos, un solo canal virtual",
    ),
    ("Breadth-first", "En anchura"),
    (
        "up*/down*: up is nearer the root, or the smaller identifier",
        "up*/down*: arriba es más cerca de la raíz o el identificador menor",
    ),
    ("Depth-first", "En profundidad"),
    (
        "a depth-first tree with few, well placed restrictions",
        "un árbol en profundidad con pocas restricciones bien puestas",
    ),
    ("Shortest legal", "Legales más cortas"),
    (
        "the shortest among those the orientation allows",
        "las más cortas entre las que permite la orientación",
    ),
    ("Minimal", "Mínimas"),
    ("all routes as short as the network allows", "todas las rutas tan cortas como permite la red"),
    ("Near-shortest", "Casi más cortas"),
    ("minimal routes and those one channel longer", "rutas mínimas y las que tienen un canal más"),
    ("Sample", "Una muestra"),
    ("an unbiased sample", "una muestra sin sesgo"),
    ("First", "Las primeras"),
    (
        "the first in port order, as the thesis seems to have done",
        "las primeras por orden de puertos, como parece haber hecho la tesis",
    ),
    ("None", "Ninguno"),
    ("no in-transit buffers", "sin buffers en tránsito"),
    ("Forbidden transition", "Transición prohibida"),
    ("wherever the orientation forbids the transition", "donde la orientación prohíbe la transición"),
    ("Cycles, greedy", "Ciclos, voraz"),
    (
        "route by route, where the next dependency would close a cycle",
        "ruta a ruta, donde la siguiente dependencia cerraría un ciclo",
    ),
    ("Cycles, fewest", "Ciclos, mínimos"),
    ("cycle breaking with fewer ITBs, found by search", "romper ciclos con menos ITB, hallados por búsqueda"),
    ("B33", "B33"),
    (
        "at switches whose random number is above both neighbours'",
        "en conmutadores cuyo número al azar supera al de ambos vecinos",
    ),
    ("B50", "B50"),
    (
        "at switches whose random number is below the next one's",
        "en conmutadores cuyo número al azar es menor que el del siguiente",
    ),
    ("B66", "B66"),
    (
        "at switches whose random number is above one neighbour's or both",
        "en conmutadores cuyo número al azar supera al de un vecino o al de ambos",
    ),
    ("Every switch", "Cada conmutador"),
    ("at every intermediate switch", "en cada conmutador intermedio"),
    ("Random", "Al azar"),
    ("one at random", "una al azar"),
    ("Fewest ITBs", "Menos ITB"),
    ("one without ITBs if there is one, else one at random", "una sin ITB si la hay; si no, una al azar"),
    ("Balanced", "Equilibrada"),
    ("least standard deviation of routes per channel", "mínima desviación típica de rutas por canal"),
    ("Smart balance", "Equilibrio SMART"),
    ("least routes over the most used channel", "mínimo de rutas por el canal más usado"),
    ("one route per pair", "una ruta por pareja"),
    ("per message, one at random", "por mensaje, una al azar"),
    ("Round robin", "Por turno"),
    ("per message, in turn", "por mensaje, por turno"),
    ("Contention-aware", "Según contención"),
    ("per message, the least contended of late", "por mensaje, la menos disputada últimamente"),
    ("By length", "Según longitud"),
    ("short messages on the routes with fewer ITBs", "mensajes cortos por las rutas con menos ITB"),
    ("Share", "Reparto"),
    ("a share of the messages on the plain routes", "una parte de los mensajes por las rutas simples"),
    ("When loaded", "Bajo carga"),
    (
        "ITB routes only when the plain ones are loaded",
        "rutas con ITB solo cuando las simples están cargadas",
    ),
    ("longest payload that counts as short", "carga útil más larga que cuenta como corta"),
    ("share of messages on the plain routes", "parte de los mensajes por las rutas simples"),
    ("handicap of the ITB route", "hándicap de la ruta con ITB"),
    ("cycles per flit", "ciclos por flit"),
    ("bytes", "bytes"),
    ("each route draws one of the switch's hosts", "cada ruta sortea uno de los hosts del conmutador"),
    ("By input channel", "Por canal de entrada"),
    ("determined by the channel the route arrives on", "lo determina el canal por el que llega la ruta"),
    ("By output channel", "Por canal de salida"),
    ("determined by the channel the route goes on by", "lo determina el canal por el que sigue la ruta"),
    (
        "the switch's hosts in turn, over all routes",
        "los hosts del conmutador por turno, entre todas las rutas",
    ),
    (
        "meshes and tori: along one dimension after the other, a trunk's cable by the destination",
        "mallas y toros: una dimensión tras otra, el cable de un enlace múltiple según el destino",
    ),
    (
        "fat trees: up by the destination's digits, then down",
        "árboles gruesos: hacia arriba según los dígitos del destino, luego hacia abajo",
    ),
    ("By destination", "Según el destino"),
    ("by the number of the destination host", "según el número del host de destino"),
];

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::routing::{self, descriptors as d};
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn every_choice_about_routing_is_in_spanish() {
        let summaries = routing::all().iter().map(|member| member.summary);
        let axes = [
            d::orientations(),
            d::candidate_sets(),
            d::candidate_rules(),
            d::placements(),
            d::choices(),
            d::selections(),
            d::itb_hosts(),
        ];
        let axes = axes.iter().flat_map(|family| family.iter());
        let axes = axes.flat_map(|member| {
            let parameters =
                member.parameters.iter().flat_map(|parameter| [parameter.summary, parameter.unit]);
            [member.name, member.summary].into_iter().chain(parameters)
        });
        let missing: Vec<&str> =
            summaries.chain(axes).filter(|words| !words.is_empty() && spanish(words).is_none()).collect();
        assert_eq!(missing, [""; 0]);
    }
}
