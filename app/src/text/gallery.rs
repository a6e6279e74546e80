//! Spanish for the gallery: name and what to look at, by the name of the scenario's file.

/// Name and description of a scenario of the gallery.
pub fn spanish(id: &str) -> Option<(&'static str, &'static str)> {
    WORDS.iter().find(|(known, ..)| *known == id).map(|(_, name, description)| (*name, *description))
}

const WORDS: &[(&str, &str, &str)] = &[
    (
        "first-light",
        "Primera luz",
        "Dieciséis conmutadores cableados al azar, cuatro hosts en cada uno, y cada host envía a todos los demás. Fíjate en un gusano cuyo canal siguiente está ocupado: se para donde está, el STOP vuelve atrás, y todo lo que lleva detrás espera también. Algunos mensajes se desvían a un host a medio camino y salen de nuevo desde ahí: son los buffers en tránsito (ITB). Después abre «Lo mismo sin ITB».",
    ),
    (
        "without-itbs",
        "Lo mismo sin ITB",
        "La red y la carga de «Primera luz», con rutas up*/down* y sin buffers en tránsito. Todos los rodeos pasan por la raíz del árbol: sus canales están al rojo mientras otros están ociosos, y la red admite menos de lo que se le ofrece. Las colas de los hosts crecen para siempre.",
    ),
    (
        "deadlock-ring",
        "Interbloqueo a propósito",
        "Seis conmutadores en anillo y solo caminos mínimos. Pronto seis gusanos esperan cada uno un canal que retiene el siguiente, dando la vuelta entera, y nada vuelve a moverse. Up*/down* prohíbe un giro del anillo para evitarlo; un buffer en tránsito rompe el círculo sin prohibir nada. Cambia el encaminamiento y pruébalo.",
    ),
    (
        "hot-spot",
        "Punto caliente",
        "Uno de cada cinco mensajes va al host 27, más de lo que admite su único canal. Los gusanos que lo esperan llenan los buffers de su camino, y los mensajes que van a otros sitios se quedan detrás: el árbol de congestión crece de la hoja a toda la red.",
    ),
    (
        "star",
        "Todo por el centro",
        "Seis conmutadores en torno a uno central. El único camino a otro conmutador pasa por el centro, así que un mensaje que espera un canal ocupado retiene a todos los de detrás: el bloqueo de cabeza de línea en su forma más simple.",
    ),
    (
        "torus-4x4",
        "Toro 4x4",
        "Una red regular con el mismo encaminamiento. Sin buffers en tránsito, up*/down* trata a un toro tan mal como a una red al azar; elige UD y compara lo repartido que está el uso de los canales.",
    ),
    (
        "fat-tree",
        "Árbol grueso e inversión de bits",
        "Un 4-ary 2-tree bajo una permutación. En un árbol toda ruta up*/down* es mínima y no hace falta ningún ITB, pero las rutas fijadas de antemano se encuentran en algunos canales mientras otros quedan vacíos.",
    ),
    (
        "short-messages",
        "Mensajes cortos",
        "Mensajes de 32 bytes. Los 44 ciclos de detección y los 32 de DMA de cada host en tránsito pesan ahora más que el propio mensaje: compara la latencia con UD a baja carga.",
    ),
    (
        "thesis-32",
        "Tesis: 32 conmutadores cerca de la saturación",
        "Una de las redes al azar de la tesis, justo por debajo de la mayor carga que admite UD_ITB. La latencia aún es baja, los canales más llenos se usan la mitad del tiempo, y un poco más de carga lo vuelca todo. Medido como en la tesis: se descartan 50 000 mensajes y se cuentan 100 000.",
    ),
    (
        "torus-8x8",
        "Toro 8x8",
        "Sesenta y cuatro conmutadores y 512 hosts, como en la tesis. UD_ITB admite aquí cerca del doble que UD, porque puede usar la ruta mínima de cada pareja. Prueba una carga de 0.02 con ambos.",
    ),
    (
        "cplant",
        "Cplant",
        "La instalación de Sandia National Laboratories: 50 conmutadores de 16 puertos en grupos de ocho, 400 hosts. Casi regular, y aun así up*/down* prohíbe la mayoría de los caminos mínimos. Mira cuántos ITB necesita un mensaje.",
    ),
    (
        "sixty-four",
        "Sesenta y cuatro conmutadores",
        "Cuanto mayor es una red irregular, menos rutas up*/down* son mínimas. Aquí UD se satura por debajo de 0.02 flits/ns/conmutador; con ITB pasa el doble de carga. Colorea los canales por utilización y cambia el encaminamiento.",
    ),
    (
        "irregular-lanes",
        "Buffers en tránsito con cut-through",
        "La red irregular de los tiempos de Myrinet con los conmutadores de hoy: virtual cut-through, carriles y créditos, y rutas mínimas con buffers en tránsito, una combinación que nadie ha construido. Los paquetes paran en tránsito uno a uno y conservan su nivel de servicio. Compáralo con UD, que no necesita paradas pero amontona el tráfico en la raíz.",
    ),
    (
        "service-levels",
        "Tres niveles de servicio, un conmutador",
        "Seis hosts envían al host 7, dos en cada nivel de servicio, el doble de lo que lleva su canal. La tabla con déficit reparte el canal 50 a 30 a 20, se ofrezca lo que se ofrezca. Mira dentro del conmutador: dos MPorts, el crossbar central entre ellos, y en el puerto 7 la tabla en marcha. Después elige round robin y mira cómo se igualan las partes.",
    ),
    (
        "torus-datelines",
        "Un toro que cambia de carril",
        "Las rutas por orden de dimensión cierran ciclos en los anillos de un toro. Aquí un paquete pasa al segundo canal de servicio de su nivel, y con él a otro carril, donde el primero cerraría uno: no puede haber interbloqueo, y no hace falta ninguna parada en tránsito. Pon la regla de canales en spread y la prueba desaparece.",
    ),
    (
        "wrr-unfair",
        "Un paquete por turno no es justo",
        "Paquetes cortos y largos compiten por el canal al host 7. La tabla de InfiniBand y Advanced Switching da a cada carril un paquete por turno, así que el carril de los paquetes de 1024 bytes obtiene ocho veces el ancho de banda del de 128. Elige la tabla con déficit, que cuenta créditos, con partes iguales: ambos obtienen la mitad.",
    ),
    (
        "studies/opasim-a",
        "OPASim, configuración A",
        "Un conmutador Omni-Path de 48 puertos con los tres niveles de servicio de Cano-Cano et al., configuración A: cada nivel en su canal y su carril, y una tabla simple de ancho de banda de 60, 30 y 10. Mira dentro: doce MPorts en torno a un crossbar central. 256 flits por puerto; tráfico uniforme justo por encima de la saturación.",
    ),
    (
        "studies/opasim-b",
        "OPASim, configuración B",
        "El mismo conmutador, configuración B: el primer nivel usa dos canales de servicio y dos carriles, los otros dos comparten carril, pesos 50, 30 y 20. El ancho de banda es de los niveles, no de los carriles: dos carriles no dan al nivel 0 el doble de su parte.",
    ),
    (
        "studies/hiperion-8-ary-3-tree",
        "Hiperion, 8-ary 3-tree",
        "512 hosts en un 8-ary 3-tree, rutas d-mod-k, cinco niveles de servicio, de la voz de ritmo constante al tráfico de fondo, y la tabla con déficit del estudio de Omni-Path. Mira la latencia y la productividad de cada nivel mientras subes la carga.",
    ),
    (
        "studies/hiperion-24-ary-2-tree",
        "Hiperion, 24-ary 2-tree",
        "576 hosts en un 24-ary 2-tree de conmutadores de 48 puertos, rutas d-mod-k: la más plana de las cuatro redes del estudio de Omni-Path, con sus cinco niveles de servicio y su tabla con déficit.",
    ),
    (
        "studies/hiperion-torus-8x8",
        "Hiperion, toro 8x8",
        "512 hosts en un toro de dos dimensiones de conmutadores Omni-Path con troncales de diez cables, los cinco niveles de servicio de Cano-Cano et al. (J. Supercomputing 2022) y su tabla con déficit. Orden de dimensión, el cable según el destino; los carriles cambian donde un anillo cerraría un ciclo.",
    ),
    (
        "studies/hiperion-torus-8x8x4",
        "Hiperion, toro 8x8x4",
        "1024 hosts en un toro de tres dimensiones con troncales de cuatro cables: la mayor red del estudio de Omni-Path, cinco niveles de servicio y una tabla con déficit de 128 entradas.",
    ),
];

#[cfg(all(test, target_arch = "wasm32"))]
mod tests {
    use super::*;
    use hopscope_core::gallery;
    use wasm_bindgen_test::wasm_bindgen_test as test;

    #[test]
    fn the_whole_gallery_speaks_spanish() {
        for item in gallery::all() {
            assert!(spanish(item.id).is_some(), "{}", item.id);
        }
        assert_eq!(WORDS.len(), gallery::all().len());
    }
}
